// What runs on this machine took for trials of one kind, and what is typical of them.

#pragma once

#include <string>
#include <vector>

#include "harness/base/json/json.h"

namespace ablate::plan {

/// What one run, or one of its workers, took for trials of a kind. Seconds are those of the processor
/// where one was at work, so that other programs beside it add little to them.
struct TimedRun {
  double flops = 0;             // of training, added up
  double training = 0;          // seconds that it took
  double overhead = 0;          // seconds of everything else, added up
  double trials = 0;            // how many there were
  double assumed_overhead = 0;  // seconds that were assumed for all trials
  std::string date;             // of its end, in UTC; empty: by an older program, on the wall clock
  double load = 0;              // seconds on the wall clock in one of the processor; 0: not known
};

/// The runs of one kind of trials, the oldest first.
struct TimedKind {
  double size = 0;           // FLOPs per step
  std::string step, probes;  // hashes of what decides the speed of either
  std::string device;        // "cpu" or "cuda"
  double order = 0;          // number of its last observation, counted over all kinds
  std::vector<TimedRun> runs;

  /// Whether a run says how fast training is.
  bool knows_speed() const;

  /// Seconds of training per FLOP: the median over the runs, which a run on a busy machine hardly moves.
  /// Requires: knows_speed().
  double seconds_per_flop() const;

  /// What everything else took as a multiple of what was assumed: the median over the runs. Requires:
  /// there are runs.
  double overhead_factor() const;

  /// All runs as one that has their medians.
  TimedRun typical() const;

  /// Adds a run, and forgets the oldest of more than five, and those of older programs.
  void add(const TimedRun& run);
};

/// As stored; what older programs read of it are the medians.
Json to_json(const TimedKind& kind);

/// Reads what to_json() returned, or what older programs stored. Throws std::runtime_error, or a
/// Json::exception, for anything else.
TimedKind timed_kind_from_json(const Json& json);

}  // namespace ablate::plan

// The state of a trial, computed from the events of its journal.

#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "harness/base/json/json.h"
#include "harness/store/index/records.h"

namespace ablate::store {

/// One stretch of work on a trial: from a start of its worker to an outcome, or to where it was cut
/// off.
struct Attempt {
  std::int64_t number = 0;
  std::string started;  // UTC, of its first event
  std::string ended;    // UTC, of its last event so far
  std::string outcome;  // completed, failed, diverged, stopped; empty while none was written
  std::string message;
  Json provenance;
};

struct StoredMeasurement {
  std::string id;
  std::string probe;
  std::int64_t attempt = 0;
  std::map<std::string, double> metrics;
  Json details;
  std::vector<Sample> samples;
};

struct StoredCheckpoint {
  std::int64_t step = 0;
  std::int64_t attempt = 0;
  std::string file;  // beside the journal
  std::string sha256;
};

struct StoredStage {
  std::int64_t attempt = 0;
  std::string stage;  // data, model, train, probes
  double seconds = 0;
  std::int64_t lanes = 1;  // trials that shared them, as one bank
};

struct TrialState {
  /// Of the last attempt: completed, failed, diverged, or unfinished where it was stopped, was cut
  /// off, is still going on, or never began.
  std::string outcome = "unfinished";
  std::string message;
  std::vector<Attempt> attempts;
  std::vector<CurvePoint> curve;  // by step; the last attempt of each, see trial_state()
  std::vector<StoredCheckpoint> checkpoints;    // by step; the last attempt of each
  std::vector<StoredCheckpoint> phases;         // weights at the ends of phases, by step
  std::vector<StoredMeasurement> measurements;  // the last of each id
  std::vector<StoredStage> stages;              // as they came
  Json trial;   // its JSON, as the last attempt was given it; null before any attempt
  Json ledger;  // the last one written; null before any; with share_not_training() where known

  /// Whether an attempt ended well and every one of these measurements was made.
  bool complete(const std::vector<std::string>& measurement_ids) const;

  /// Seconds of all stages of all attempts.
  double seconds() const;

  /// Of the trial's own seconds, an equal part of what a bank shared: the fraction that was spent
  /// on data, building the model and probes. NaN where no stage was written.
  double share_not_training() const;
};

/// Sums up the events of a journal. An attempt that goes on from a checkpoint supersedes what
/// previous attempts wrote at or after the first step that it writes. Throws DamagedFile, naming
/// `file`, for events that no version of this program writes.
TrialState trial_state(const std::vector<Json>& events, const std::filesystem::path& file);

/// The state of a trial by its journal; that of no events where there is no such file yet. Throws
/// as trial_state() and read_journal() do.
TrialState read_trial_state(const std::filesystem::path& journal);

}  // namespace ablate::store

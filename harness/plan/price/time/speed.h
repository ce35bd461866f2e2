// Estimates how long trials take on this machine, from how long others took.

#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "harness/plan/price/time/timed_kind.h"
#include "harness/plan/trial/trial.h"

namespace ablate::plan {

/// The time that a worker took to train trials completely, as one model: seconds of the processor where
/// it trained on one, else on the wall clock.
struct Timing {
  std::string device;
  std::vector<Trial> trials;
  double training = 0;    // seconds
  double overhead = 0;    // seconds of everything else: start, data, model, probes
  std::string date = {};  // of its end, see utc_now()
  double load = 1;        // seconds on the wall clock in one of the processor
};

/// When what an estimate rests on was timed.
struct Timed {
  bool known = false;       // else the speed is assumed
  std::string first, last;  // dates in UTC; empty: by an older program, which kept none
  double load = 0;          // see TimedRun
};

/// The speeds that were measured on this machine, for each kind of trial. A kind is everything that
/// decides speed: that of a step (objective, model, batch, precision, kernels, dropout, packing,
/// lanes, device) and that of the probes. Kept in the cache as speeds.json.
class Speeds {
 public:
  /// The speeds in a file; empty if there is no file or it is damaged.
  static Speeds read(const std::filesystem::path& file);

  /// Writes the kinds that were observed last, as many as read() accepts. Throws std::runtime_error
  /// if the file cannot be written.
  void write(const std::filesystem::path& file) const;

  /// Adds the time of one worker to what this object observed before of the same kind.
  void observe(const Timing& timing);

  /// Adds what a run observed to what earlier runs did. Each counts once for a kind, however many
  /// workers it had: estimates are medians over the last five runs, by their seconds of the processor.
  void add_run(const Speeds& run);

  /// The estimated seconds of a worker that trains and measures these trials as one model. Training
  /// is taken to be as fast as that of the same kind, or else of the same step with other probes, or
  /// else of the kind on such a device that is closest in FLOPs per step; or at an assumed speed.
  double seconds(const std::vector<Trial>& trials, const std::string& device) const;

  /// The estimated seconds of a worker for everything except training, such as for trials that are
  /// trained already and must only be measured: what the same kind took, or else the closest one with
  /// the same probes, or else the assumed time (by what its probes read), multiplied by how far it was
  /// off for the closest kind.
  double overhead_seconds(const std::vector<Trial>& trials, const std::string& device) const;

  /// When the speed of training was timed that seconds() takes.
  Timed timed(const std::vector<Trial>& trials, const std::string& device) const;

  bool empty() const { return kinds_.empty(); }  // whether nothing was observed

 private:
  /// The kind of these trials; or else the closest in FLOPs per step, of those on such a device with
  /// the same `part`, where there are any. Null if there is none.
  const TimedKind* closest_kind(const std::vector<Trial>& trials, const std::string& device,
                                std::string TimedKind::*part) const;

  std::map<std::string, TimedKind> kinds_;  // by hash of what decides speed
  double order_ = 0;                        // number of the last observation
};

/// The file in the cache that speeds are kept in.
std::filesystem::path speeds_file();

/// The seconds until `workers` have done all pieces, if each takes the next piece as soon as it is
/// free. `pieces`: seconds.
double makespan(const std::vector<double>& pieces, std::size_t workers);

}  // namespace ablate::plan

// The progress of the trials of a results folder.

#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/store/folder/lock.h"
#include "harness/store/index/details/trial_time.h"

namespace ablate::store {

/// The progress of one trial.
struct TrialStatus {
  std::string id;
  std::string arm;
  std::int64_t seed = 0;
  std::string outcome;       // completed, failed, diverged, unfinished
  std::string message;       // why it failed
  bool trained = false;      // unfinished only because it lacks measurements
  std::int64_t missing = 0;  // planned measurements that it lacks
  bool running = false;      // begun, without an outcome, during a run in the folder
  std::int64_t attempts = 0;
  std::int64_t step = 0;   // of the last point of the loss curve
  std::int64_t steps = 0;  // planned; 0 where the budget is not in steps
  double loss = std::numeric_limits<double>::quiet_NaN();  // of that point; NaN before the first
  double seconds = 0;                                      // of all stages of all attempts
  TrialTime time;  // where its own part of that went; without stages before one has ended
};

/// The progress of an experiment.
struct Status {
  std::string experiment;
  std::optional<Holder> holder;               // who is running it now
  std::map<std::string, std::size_t> counts;  // by outcome; each of the four is there
  std::vector<TrialStatus> trials;            // in the plan's order
};

/// The status of a results folder; updates its index first. Safe during a run. Throws as
/// load_records().
Status load_status(const std::filesystem::path& results);

}  // namespace ablate::store

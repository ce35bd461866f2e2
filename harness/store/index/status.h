// How far the trials of a results folder are.

#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/store/folder/lock.h"

namespace ablate::store {

/// How far one trial is.
struct TrialStatus {
  std::string id;
  std::string arm;
  std::int64_t seed = 0;
  std::string outcome;   // completed, failed, diverged, unfinished
  std::string message;   // why it failed
  bool running = false;  // begun, without an outcome, while a run is going on in the folder
  std::int64_t attempts = 0;
  std::int64_t step = 0;   // of the last point of the loss curve
  std::int64_t steps = 0;  // planned; 0 where the budget is not in steps
  double loss = 0;         // of that point; NaN before the first
  double seconds = 0;      // of all stages of all attempts
};

/// How far an experiment is.
struct Status {
  std::string experiment;
  std::optional<Holder> holder;               // who is running it now
  std::map<std::string, std::size_t> counts;  // by outcome; each of the four is there
  std::vector<TrialStatus> trials;            // in the plan's order
};

/// The status of a results folder, by its index, which is brought up to date first. Safe while a
/// run is going on. Throws as load_records() does.
Status load_status(const std::filesystem::path& results);

}  // namespace ablate::store

// Trains a suite's experiment by a given build of the programs.

#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "harness/base/json/json.h"
#include "harness/nightly/programs/programs.h"
#include "harness/nightly/programs/suite.h"

namespace ablate::nightly {

/// Where a program's training goes.
struct Trained {
  std::filesystem::path results;  // empty where the program refuses the experiment
  std::string failure;            // why there are no results; empty where there are
  bool some_failed = false;       // trials: failed or diverged
};

/// The plan that `ablate plan --json` prints; null where the program refuses the experiment. `log`
/// receives why.
Json plan_of(const Programs& programs, const SuiteExperiment& experiment,
             const std::filesystem::path& log);

/// A hash of all that a plan asks for: its trials' ids and the resolved experiment, probes included.
std::string plan_hash(const Json& plan);

/// How `ablate run` is called.
struct TrainSettings {
  std::int64_t workers = 0;   // 0: as many as it takes by itself
  bool retry_failed = false;  // trials that failed before
};

/// Trains into a folder by `ablate run`, which goes on where it was cut off. `log` receives what the
/// program says. Throws DamagedFile where the program finds the results damaged.
Trained train(const Programs& programs, const SuiteExperiment& experiment,
              const std::filesystem::path& results, const TrainSettings& settings,
              const std::filesystem::path& log);

}  // namespace ablate::nightly

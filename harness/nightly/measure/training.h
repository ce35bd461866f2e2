// Trains a suite's experiment by a given build of the programs.

#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "harness/base/json/json.h"
#include "harness/nightly/measure/programs.h"
#include "harness/nightly/measure/suite.h"

namespace ablate::nightly {

/// Where a program's training goes.
struct Trained {
  std::filesystem::path results;  // empty where the program refuses the experiment
  std::string failure;            // why there are no results; empty where there are
};

/// The plan that `ablate plan --json` prints; null where the program refuses the experiment. `log`
/// receives why.
Json plan_of(const Programs& programs, const SuiteExperiment& experiment,
             const std::filesystem::path& log);

/// Trains into a folder by `ablate run`, which goes on where it was cut off. `log` receives what the
/// program says.
Trained train(const Programs& programs, const SuiteExperiment& experiment,
              const std::filesystem::path& results, const std::filesystem::path& log);

/// The same into a folder below `parent` that is named after the experiment and its plan, so that
/// what was trained once is not trained again.
Trained train_once(const Programs& programs, const SuiteExperiment& experiment,
                   const std::filesystem::path& parent, const std::filesystem::path& log);

}  // namespace ablate::nightly

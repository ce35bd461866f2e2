// What objectives make of texts: `ablate preview` of the arms of a suite's experiment, and the golden
// vectors of all objectives.

#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "harness/nightly/programs/programs.h"
#include "harness/nightly/programs/suite.h"

namespace ablate::nightly {

/// The digest of what a program's `ablate preview --json` prints of a few examples, by arm of its plan.
/// An arm that it refuses is absent, and so are all where it has no plan. `log` receives why.
std::map<std::string, std::string> preview_digests(const Programs& programs,
                                                   const SuiteExperiment& experiment,
                                                   const Json& plan,
                                                   const std::filesystem::path& log);

/// What `ablate describe --golden` prints: version and digest of each objective, by its name. Empty
/// where the program is older than that, or fails. `log` receives why.
std::map<std::string, std::string> golden_digests(const Programs& programs,
                                                  const std::filesystem::path& log);

}  // namespace ablate::nightly

// What the noise between seeds lets a suite's quality series hold, from seeds trained before.

#pragma once

#include <map>
#include <string>

#include "harness/nightly/measure/calibration.h"

namespace ablate::commands {

/// The noise of each arm and metric that has a margin in the suite, as `gate calibrate` would find it,
/// of seeds trained before, and the margin that the suite's seeds hold. `results`: a folder of
/// `ablate noise`. Throws std::invalid_argument where it is of no experiment of the suite, or has no
/// values of any of its metrics.
std::map<std::string, nightly::QualityNoise> noise_in(const nightly::Suite& suite,
                                                      const std::string& results);

/// A table of them: whether each margin that the suite states is wide enough.
std::string margins_table(const nightly::Suite& suite,
                          const std::map<std::string, nightly::QualityNoise>& quality);

}  // namespace ablate::commands

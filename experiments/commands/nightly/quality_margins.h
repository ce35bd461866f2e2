// Which margins the noise between seeds lets a suite's quality series hold.

#pragma once

#include <string>

#include "harness/nightly/measure/suite.h"

namespace ablate::commands {

/// A line for each arm and metric that has a margin in the suite: how much it varies between seeds,
/// the margin that eight seeds pass nearly always where nothing has changed, and whether the suite's
/// is as wide. `results`: a folder of `ablate noise`. Throws std::invalid_argument where it is of no
/// experiment of the suite, or has no values of any of its metrics.
std::string quality_margins(const nightly::Suite& suite, const std::string& results);

}  // namespace ablate::commands

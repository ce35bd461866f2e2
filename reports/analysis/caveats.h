// What must be known of some arms' values.

#pragma once

#include <string>
#include <vector>

#include "reports/analysis/analysis.h"

namespace ablate::reports {

/// "held_out.excess, held_out.optimum of prefix_lm: the optimum is a bound.": a line for each
/// caveat and the arms of which it holds.
std::vector<std::string> caveats_of(const std::vector<const MetricRow*>& metrics);

}  // namespace ablate::reports

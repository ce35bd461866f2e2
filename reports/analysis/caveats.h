// Caveats on the values of some arms.

#pragma once

#include <string>
#include <vector>

#include "reports/analysis/analysis.h"

namespace ablate::reports {

/// A line for each caveat and the arms that it applies to, such as "held_out.excess,
/// held_out.optimum of prefix_lm: the optimum is a bound.".
std::vector<std::string> caveats_of(const std::vector<const MetricRow*>& metrics);

}  // namespace ablate::reports

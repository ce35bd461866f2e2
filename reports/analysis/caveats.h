// Caveats on the values of some arms.

#pragma once

#include <string>
#include <vector>

#include "reports/analysis/analysis.h"

namespace ablate::reports {

/// For each metric of generated text that leaves impossible samples out, a line with the fraction
/// of samples that each arm loses so; none where no arm loses any.
std::vector<std::string> samples_left_out(const Analysis& analysis,
                                          const std::vector<const MetricRow*>& metrics);

/// A line for each caveat and the arms that it applies to, such as "held-out loss, optimum; held-out
/// loss above the optimum of prefix_lm: the optimum is a bound.".
std::vector<std::string> caveats_of(const Analysis& analysis,
                                    const std::vector<const MetricRow*>& metrics);

}  // namespace ablate::reports

// Metrics along training, for those who draw them.

#pragma once

#include <vector>

#include "reports/analysis/dynamics/courses.h"
#include "reports/figures/sweeps/sweep_data.h"

namespace ablate::reports {

/// The name of the axis across.
constexpr std::string_view kTokensRead = "tokens of text read";

/// One panel for each metric with a better direction that was measured on the way, and each set of
/// arms whose values may be compared; along tokens of text, on average over seeds. A line is an arm.
/// The result points into the courses.
std::vector<SweepPanel> dynamics_panels(const std::vector<Course>& courses);

}  // namespace ablate::reports

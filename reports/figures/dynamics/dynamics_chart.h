// Metrics along training, for pages whose readers choose what they are drawn over.

#pragma once

#include <vector>

#include "reports/analysis/dynamics/courses.h"
#include "reports/figures/sweeps/sweep_data.h"
#include "reports/formats/chart.h"

namespace ablate::reports {

/// What they can be drawn over; the first is tokens of text. All of it was recorded with the points.
std::vector<ChartAxis> dynamics_axes();

/// The numbers of a panel of dynamics_panels(), each line with its 95 % t-interval. `courses`: all,
/// the panel's among them.
Chart dynamics_chart(const SweepPanel& panel, const std::vector<Course>& courses);

}  // namespace ablate::reports

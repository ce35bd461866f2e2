// A group's metrics by arm: a dot for each seed, the mean and its interval.

#pragma once

#include <string>
#include <vector>

#include "reports/analysis/analysis.h"
#include "reports/document/document.h"

namespace ablate::reports {

/// One panel for each metric of a group that has a better direction and values. The metrics that it
/// is read against (optimum, floor, ceiling) are diamonds in its panel. `group` is the group's
/// identifier.
Figure dot_plots(const Analysis& analysis, const std::string& group,
                 const std::vector<const MetricRow*>& metrics);

}  // namespace ablate::reports

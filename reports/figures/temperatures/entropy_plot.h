// The quality of generated text by the entropy of its tokens.

#pragma once

#include <string_view>
#include <vector>

#include "reports/analysis/temperatures/entropy_curves.h"
#include "reports/figures/sweeps/sweep_data.h"
#include "reports/formats/document.h"

namespace ablate::reports {

/// One panel for each metric that texts were measured by at several temperatures, and each set of arms
/// whose values may be compared. A line is an arm with one of its samplers. The result points into the
/// curves.
std::vector<SweepPanel> entropy_panels(const std::vector<EntropyCurve>& curves);

/// The panels of the metrics of a group, such as "generation". No panels where nothing was drawn at
/// several temperatures.
Figure entropy_plots(const std::vector<EntropyCurve>& curves, std::string_view group);

}  // namespace ablate::reports

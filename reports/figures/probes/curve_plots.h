// Metrics along a setting of their probe.

#pragma once

#include <string>
#include <vector>

#include "reports/analysis/probes/setting_curves.h"
#include "reports/figures/sweeps/sweep_data.h"
#include "reports/formats/document.h"

namespace ablate::reports {

/// One panel for each of the metrics that has a better direction and was measured along a setting; a
/// line is an arm with two points or more. Arms share a panel if their values may be compared. The
/// result points into the curves.
std::vector<SweepPanel> curve_panels(const std::vector<SettingCurve>& curves,
                                     const std::vector<const MetricRow*>& metrics);

/// The panels as a figure; `group`: the name of the group of metrics, a-z and hyphens.
Figure curve_plots(const std::vector<SettingCurve>& curves, const std::string& group,
                   const std::vector<const MetricRow*>& metrics);

}  // namespace ablate::reports

// Metrics along a number, drawn.

#pragma once

#include <string>
#include <vector>

#include "reports/document/document.h"
#include "reports/figures/sweeps/sweep_data.h"

namespace ablate::reports {

/// The panels as a figure: of each line the mean over seeds, its band, and the seeds; and the baseline.
/// Gives the panels their ids.
Figure draw_sweeps(std::string name, std::string caption, std::vector<SweepPanel>& panels);

/// A panel as an SVG element.
std::string draw_sweep(const SweepPanel& panel);

}  // namespace ablate::reports

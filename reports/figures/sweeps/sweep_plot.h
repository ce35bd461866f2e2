// A metric by the number that arms sweep over.

#pragma once

#include "reports/analysis/analysis.h"
#include "reports/figures/sweeps/sweep_data.h"
#include "reports/formats/document.h"

namespace ablate::reports {

/// One panel for each sweep over a number and each headline metric: the mean over seeds by the
/// swept number, with its 95 % t-interval as a band, the seeds, and the baseline. Families share a
/// panel if their values may be compared. No panels where no arms sweep over a number.
Figure sweep_plots(const Analysis& analysis);

/// A panel as an SVG element with this id.
std::string draw_sweep(const SweepPanel& panel, std::string_view id);

}  // namespace ablate::reports

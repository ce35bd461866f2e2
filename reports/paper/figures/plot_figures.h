// Metrics along a number, for a paper.

#pragma once

#include <vector>

#include "reports/findings/finding.h"
#include "reports/paper/figures/plot.h"

namespace ablate::reports {

/// "NAME-1" and so on: the mean over seeds by the number, with its band, and the baseline.
std::vector<PaperFigure> plot_figures(const PaperPlots& plots, const Venue& venue);

}  // namespace ablate::reports

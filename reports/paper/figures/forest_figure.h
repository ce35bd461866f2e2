// The forest plot of a paper.

#pragma once

#include <vector>

#include "reports/paper/figures/plot.h"

namespace ablate::reports {

/// "forest": each arm's difference from the baseline in the primary metric, with its 95 % interval,
/// that of all arms together, and the smallest effect of interest as a band. Many arms make
/// several drawings, "forest-2" and so on, with one scale. None where no difference was measured.
std::vector<PaperFigure> forest_figures(const Analysis& analysis, const Venue& venue);

}  // namespace ablate::reports

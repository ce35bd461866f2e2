// The learning curves of a paper.

#pragma once

#include <vector>

#include "reports/paper/figures/plot.h"

namespace ablate::reports {

/// "curves-1" and so on, for each objective at one setting: training loss by text tokens read, the
/// mean over seeds and the band from the smallest to the largest, with optimum and floor where they
/// are known. At most 201 points a curve.
std::vector<PaperFigure> curve_figures(const Analysis& analysis, const Venue& venue);

}  // namespace ablate::reports

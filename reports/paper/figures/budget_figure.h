// The ranking of arms at equal budgets, for a paper.

#pragma once

#include <vector>

#include "reports/paper/figures/plot.h"

namespace ablate::reports {

/// "budgets": a line for each arm through its rank by each way of counting a budget. None where
/// has_slopes() is false.
std::vector<PaperFigure> budget_figures(const Analysis& analysis, const Venue& venue);

}  // namespace ablate::reports

// Arms over several tasks, for a paper.

#pragma once

#include <vector>

#include "reports/paper/figures/plot.h"

namespace ablate::reports {

/// "profiles": performance profiles, and "ranks": a critical-difference diagram. None where
/// compare_tasks() is empty.
std::vector<PaperFigure> task_figures(const Analysis& analysis, const Venue& venue);

}  // namespace ablate::reports

// Arms over several tasks, for a paper.

#pragma once

#include <vector>

#include "reports/analysis/tasks/task_comparison.h"
#include "reports/paper/figures/plot.h"

namespace ablate::reports {

/// "profiles": performance profiles, and "ranks": a critical-difference diagram. None where
/// compare_tasks() is empty.
std::vector<PaperFigure> task_figures(const std::optional<TaskComparison>& comparison,
                                      const Venue& venue);

}  // namespace ablate::reports

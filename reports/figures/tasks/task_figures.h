// Arms over several tasks, drawn.

#pragma once

#include <optional>

#include "reports/analysis/tasks/task_comparison.h"
#include "reports/document/document.h"

namespace ablate::reports {

/// "profiles": for each score the fraction of an arm's runs that reach more, as a mean over tasks.
Figure performance_profiles(const std::optional<TaskComparison>& comparison);

/// "ranks": a critical-difference diagram. Without plots below statistics::kFewestTasks tasks.
Figure rank_diagram(const std::optional<TaskComparison>& comparison);

}  // namespace ablate::reports

// Arms over several tasks, as a table.

#pragma once

#include "reports/analysis/tasks/task_comparison.h"
#include "reports/tables/table.h"

namespace ablate::reports {

/// "tasks": each arm's interquartile mean, its probability of improvement on the baseline and its
/// mean rank; below, which arms no two tests tell apart. Without rows where compare_tasks() is empty.
Table task_table(const std::optional<TaskComparison>& comparison, double alpha);

}  // namespace ablate::reports

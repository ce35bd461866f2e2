// Arms over several tasks: probes of one kind that score every arm from 0 to 1.
//
// The table of each task by itself stays the result; this says how the arms compare over all of
// them. The tasks are those of the experiment, taken as given: nothing is said of others.

#pragma once

#include <optional>
#include <vector>

#include "harness/statistics/tasks/critical_difference.h"
#include "harness/statistics/tasks/scores.h"
#include "reports/analysis/analysis.h"

namespace ablate::reports {

/// An arm over all tasks.
struct TaskSummary {
  const ArmResult* arm = nullptr;
  statistics::Scores scores;    // [task][seed]
  double interquartile = 0;     // mean of the middle half of all scores
  statistics::Interval around;  // its 95 % interval, by the bootstrap over seeds within tasks
  std::optional<double> improvement = {};                  // probability of a higher score than the
  std::optional<statistics::Interval> around_improvement;  // baseline's; absent for the baseline
};

/// All arms over all tasks.
struct TaskComparison {
  std::vector<const MetricRow*> tasks = {};
  std::vector<TaskSummary> arms = {};   // in the plan's order
  std::vector<double> mean_ranks = {};  // by index in `arms`; rank 1 is the best
  std::optional<statistics::CriticalDifference> ranks =
      {};              // absent below statistics::kFewestTasks
  double least_p = 1;  // that two arms can have in `ranks`, adjusted: those that no task has alike
  std::vector<double> thresholds = {};  // of the performance profiles, ascending
  std::vector<std::vector<double>> profiles =
      {};  // [arm][threshold]: fraction of runs that score above
};

/// Compares the arms that have values of every task. Tasks are the metrics NAME.accuracy, which may
/// be compared across all arms, of two probes or more. Empty where there are fewer tasks, or fewer
/// than two arms have them all. Which arms are told apart takes kFewestTasks. The result points into the analysis.
/// Source: Agarwal et al. 2021, arXiv 2108.13264; Demsar 2006 (statistics::critical_difference).
std::optional<TaskComparison> compare_tasks(const Analysis& analysis);

}  // namespace ablate::reports

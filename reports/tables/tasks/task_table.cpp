#include "reports/tables/tasks/task_table.h"

#include <fmt/ranges.h>

#include "reports/text/number.h"

namespace ablate::reports {
namespace {

/// "0.63 [0.61, 0.65]": such intervals need not be symmetric.
std::string interval_text(double value, const statistics::Interval& interval) {
  return fmt::format("{:.3f} [{:.3f}, {:.3f}]", value, interval.low, interval.high);
}

Row row_of(const TaskComparison& comparison, std::size_t index) {
  const TaskSummary& summary = comparison.arms[index];
  return {.cells = {text_cell(summary.arm->label),
                    text_cell(interval_text(summary.interquartile, summary.around)),
                    text_cell(summary.improvement
                                  ? interval_text(*summary.improvement, *summary.around_improvement)
                                  : ""),
                    text_cell(fmt::format("{:.2f}", comparison.mean_ranks[index]))},
          .origin = summary.arm->anchor};
}

/// "Not told apart: a, b; b, c.", or why nothing could be told apart.
std::string groups_note(const TaskComparison& comparison, double alpha) {
  if (!comparison.ranks)
    return fmt::format(
        "No arms are told apart, and no critical-difference diagram is drawn: that takes {} tasks "
        "or more, since mean ranks over fewer say nothing.",
        statistics::kFewestTasks);
  if (comparison.least_p >= alpha)
    return fmt::format(
        "Nothing could have been told apart: with {} tasks and {} arms the smallest p is {}. More "
        "tasks would tell.",
        comparison.tasks.size(), comparison.arms.size(), p_text(comparison.least_p));
  std::vector<std::string> groups;
  for (const std::vector<std::size_t>& group : comparison.ranks->groups) {
    std::vector<std::string_view> labels;
    labels.reserve(group.size());
    for (const std::size_t arm : group) labels.push_back(comparison.arms[arm].arm->label);
    groups.push_back(fmt::format("{}", fmt::join(labels, ", ")));
  }
  return groups.empty() ? "Every two arms are told apart."
                        : fmt::format("Not told apart: {}.", fmt::join(groups, "; "));
}

}  // namespace

Table task_table(const std::optional<TaskComparison>& comparison, double alpha) {
  Table table{.name = "tasks"};
  if (!comparison) return table;
  std::vector<std::string_view> names;
  for (const MetricRow* task : comparison->tasks) names.push_back(task->name);
  table.caption = fmt::format("The arms over {} tasks", names.size());
  table.columns = {
      {.title = "arm"},
      {.title = "interquartile mean", .better = Better::higher, .numbers = true},
      {.title = "probability of improvement", .better = Better::higher, .numbers = true},
      {.title = "mean rank", .better = Better::lower, .numbers = true}};
  for (std::size_t i = 0; i < comparison->arms.size(); ++i)
    table.rows.push_back(row_of(*comparison, i));
  table.source = "the accuracies of the tasks below, seed by seed; in report.json: /tasks/arms";
  table.notes = {
      fmt::format("Tasks: {}.", fmt::join(names, ", ")),
      "The interquartile mean is that of the middle half of all tasks' scores over seeds; the "
      "probability of improvement is that of a higher score than the baseline's on the same task. "
      "95 % intervals by the bootstrap over seeds within each task: they say nothing of other "
      "tasks.",
      groups_note(*comparison, alpha)};
  if (comparison->ranks)
    table.notes.back() +=
        " Every two arms are compared over the tasks by the exact signed-rank test of their means, "
        "adjusted by Holm's method.";
  return table;
}

}  // namespace ablate::reports

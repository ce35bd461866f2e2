// Arms over several tasks together.

#include <fmt/ranges.h>

#include "reports/analysis/tasks/task_comparison.h"
#include "reports/figures/tasks/task_figures.h"
#include "reports/findings/finding.h"
#include "reports/findings/json_parts.h"
#include "reports/text/number.h"

namespace ablate::reports {
namespace {

/// An arm with its rank.
struct TaskRow {
  const TaskSummary* summary = nullptr;
  double mean_rank = 0;
};

/// "0.63 [0.61, 0.65]": such intervals need not be symmetric.
std::string interval_text(double value, const statistics::Interval& interval) {
  return fmt::format("{:.3f} [{:.3f}, {:.3f}]", value, interval.low, interval.high);
}

Fields<TaskRow> task_fields() {
  const auto with_interval = [](const TaskRow& row) {
    return interval_text(row.summary->interquartile, row.summary->around);
  };
  const auto improvement = [](const TaskRow& row) {
    const TaskSummary& summary = *row.summary;
    return summary.improvement ? interval_text(*summary.improvement, *summary.around_improvement)
                               : "";
  };
  return {{text_column("arm"), "", "arm",
           [](const TaskRow& row) {
             return ArmName{row.summary->arm->name, row.summary->arm->label};
           }},
          {{.title = "interquartile mean", .better = Better::higher, .numbers = true},
           "",
           "interquartile_mean",
           [](const TaskRow& row) { return std::optional(row.summary->interquartile); },
           with_interval},
          {{}, "", "ci", [](const TaskRow& row) { return std::optional(row.summary->around); }},
          {{.title = "probability of improvement", .better = Better::higher, .numbers = true},
           "",
           "improvement",
           [](const TaskRow& row) { return row.summary->improvement; },
           improvement},
          {{},
           "",
           "improvement_ci",
           [](const TaskRow& row) { return row.summary->around_improvement; }},
          {{.title = "mean rank", .better = Better::lower, .numbers = true},
           "",
           "mean_rank",
           [](const TaskRow& row) { return std::optional(row.mean_rank); },
           [](const TaskRow& row) { return fmt::format("{:.2f}", row.mean_rank); }}};
}

std::vector<TaskRow> rows_of(const TaskComparison& comparison) {
  std::vector<TaskRow> rows;
  for (std::size_t i = 0; i < comparison.arms.size(); ++i)
    rows.push_back({&comparison.arms[i], comparison.mean_ranks[i]});
  return rows;
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

Table table_of(const TaskComparison& comparison, double alpha) {
  std::vector<std::string_view> names;
  for (const MetricRow* task : comparison.tasks) names.push_back(task->name);
  Table table{.name = "tasks", .caption = fmt::format("The arms over {} tasks", names.size())};
  add_rows(table, task_fields(), rows_of(comparison),
           [](const TaskRow& row) { return row.summary->arm->anchor; });
  table.source = "the accuracies of the tasks below, seed by seed; in report.json: /tasks/arms";
  table.notes = {
      fmt::format("Tasks: {}.", fmt::join(names, ", ")),
      "The interquartile mean is that of the middle half of all tasks' scores over seeds; the "
      "probability of improvement is that of a higher score than the baseline's on the same task. "
      "95 % intervals by the bootstrap over seeds within each task: they say nothing about other "
      "tasks.",
      groups_note(comparison, alpha)};
  if (comparison.ranks)
    table.notes.back() +=
        " Every two arms are compared over the tasks by the exact signed-rank test of their means, "
        "adjusted by Holm's method.";
  return table;
}

/// Null below the fewest tasks.
Json json_of(const std::optional<TaskComparison>& comparison) {
  if (!comparison) return {};
  Json metrics = Json::array();
  for (const MetricRow* task : comparison->tasks) metrics.push_back(task->name);
  Json json = {{"metrics", metrics},
               {"arms", json_rows(task_fields(), rows_of(*comparison))},
               {"not_told_apart", nullptr},
               {"least_p", nullptr}};
  if (!comparison->ranks) return json;
  Json groups = Json::array();
  for (const std::vector<std::size_t>& group : comparison->ranks->groups) {
    Json& names = groups.emplace_back(Json::array());
    for (const std::size_t arm : group) names.push_back(comparison->arms[arm].arm->name);
  }
  json["not_told_apart"] = std::move(groups);
  json["least_p"] = comparison->least_p;
  return json;
}

}  // namespace

Finding find_tasks(const Study& study) {
  const std::optional<TaskComparison> comparison = compare_tasks(study.analysis);
  Finding finding;
  finding.records = {{.path = {"tasks"}, .json = json_of(comparison)}};
  if (comparison) finding.add("tasks", table_of(*comparison, study.analysis.alpha));
  finding.add("tasks", rank_diagram(comparison));
  finding.add("tasks", performance_profiles(comparison));
  return finding;
}

}  // namespace ablate::reports

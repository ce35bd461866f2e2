#include "reports/analysis/tasks/task_comparison.h"

#include <algorithm>
#include <set>
#include <string>

#include "harness/base/rng.h"
#include "harness/statistics/paired/sign_flip.h"
#include "harness/statistics/tasks/aggregates.h"
#include "harness/statistics/tasks/friedman.h"
#include "reports/analysis/compare.h"

namespace ablate::reports {
namespace {

constexpr std::uint64_t kTaskBootstrapKey = 0x7A5C;
constexpr std::size_t kLeastTasks = 2;  // tasks, to put their scores together
constexpr int kThresholds = 101;        // from 0 to 1

bool has_task(const ArmResult& arm, const std::string& metric) {
  const auto found = arm.metrics.find(metric);
  return found != arm.metrics.end() && found->second.n > 0;
}

/// Whether a metric is a score that may be put together with those of other tasks.
bool is_task(const MetricRow& metric) {
  return metric.task && metric.comparable_across == Comparable::all_arms &&
         metric.better == Better::higher;
}

/// The arms that have all tasks and may be compared with the first of them.
std::vector<const ArmResult*> arms_with(const Analysis& analysis,
                                        const std::vector<const MetricRow*>& tasks) {
  std::vector<const ArmResult*> arms;
  for (const ArmResult& arm : analysis.arms) {
    const auto has = [&](const MetricRow* task) { return has_task(arm, task->name); };
    if (std::all_of(tasks.begin(), tasks.end(), has) &&
        (arms.empty() || comparable_arms(Comparable::all_arms, *arms.front(), arm)))
      arms.push_back(&arm);
  }
  return arms;
}

/// The metrics that are tasks of the baseline or, without one, of the first arm with records.
std::vector<const MetricRow*> tasks_of(const Analysis& analysis) {
  const std::vector<const ArmResult*> measured = analysis.arms_with_records();
  if (measured.empty()) return {};
  const ArmResult* const first =
      analysis.baseline() != nullptr ? analysis.baseline() : measured.front();
  std::vector<const MetricRow*> tasks;
  std::set<std::string> probes;  // one score of each
  for (const MetricRow& metric : analysis.metrics)
    if (is_task(metric) && has_task(*first, metric.name) &&
        probes.insert(metric.name.substr(0, metric.name.find('.'))).second)
      tasks.push_back(&metric);
  return tasks;
}

TaskSummary summary_of(const ArmResult& arm, const std::vector<const MetricRow*>& tasks) {
  TaskSummary summary{.arm = &arm};
  for (const MetricRow* task : tasks)
    summary.scores.push_back(present_values(arm.metrics.at(task->name)));
  summary.interquartile = statistics::interquartile_mean(summary.scores);
  summary.around = statistics::stratified_bootstrap(summary.scores, statistics::interquartile_mean,
                                                    Rng(kTaskBootstrapKey).fork(arm.name));
  return summary;
}

/// The probability of improvement and its interval, where runs of both are drawn anew: the bootstrap
/// gets the tasks of both, one after the other.
void add_improvement(const TaskSummary& baseline, TaskSummary& summary) {
  const std::size_t tasks = summary.scores.size();
  const auto improvement = [tasks](const statistics::Scores& both) {
    const auto middle = both.begin() + static_cast<std::ptrdiff_t>(tasks);
    return statistics::probability_of_improvement({both.begin(), middle}, {middle, both.end()});
  };
  statistics::Scores both = summary.scores;
  both.insert(both.end(), baseline.scores.begin(), baseline.scores.end());
  summary.improvement = improvement(both);
  summary.around_improvement = statistics::stratified_bootstrap(
      both, improvement, Rng(kTaskBootstrapKey).fork("improvement").fork(summary.arm->name));
}

/// Ranks the arms and, of enough tasks, tells them apart.
void rank(double alpha, TaskComparison& result) {
  std::vector<std::vector<double>> costs;  // [arm][task]: rank 1 has the lowest value
  for (const TaskSummary& arm : result.arms) {
    std::vector<double>& row = costs.emplace_back();
    for (const std::vector<double>& task : arm.scores) row.push_back(-statistics::mean(task));
  }
  result.mean_ranks = statistics::friedman(costs).mean_ranks;
  if (result.tasks.size() < statistics::kFewestTasks) return;
  result.ranks = statistics::critical_difference(costs, alpha);
  const std::size_t arms = costs.size(), pairs = arms * (arms - 1) / 2;
  result.least_p = std::min(
      1.0, static_cast<double>(pairs) * statistics::minimum_sign_flip_p(std::ssize(result.tasks)));
}

}  // namespace

std::optional<TaskComparison> compare_tasks(const Analysis& analysis) {
  TaskComparison result{.tasks = tasks_of(analysis)};
  if (result.tasks.size() < kLeastTasks) return std::nullopt;
  const std::vector<const ArmResult*> arms = arms_with(analysis, result.tasks);
  if (arms.size() < 2) return std::nullopt;
  for (const ArmResult* arm : arms) result.arms.push_back(summary_of(*arm, result.tasks));
  const auto is_baseline = [](const TaskSummary& summary) { return summary.arm->baseline; };
  const auto baseline = std::find_if(result.arms.begin(), result.arms.end(), is_baseline);
  if (baseline != result.arms.end())
    for (TaskSummary& summary : result.arms)
      if (&summary != &*baseline) add_improvement(*baseline, summary);
  rank(analysis.alpha, result);
  for (int i = 0; i < kThresholds; ++i)
    result.thresholds.push_back(static_cast<double>(i) / (kThresholds - 1));
  for (const TaskSummary& summary : result.arms)
    result.profiles.push_back(statistics::performance_profile(summary.scores, result.thresholds));
  return result;
}

}  // namespace ablate::reports

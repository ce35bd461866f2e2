#include "reports/analysis/analysis.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "harness/base/error.h"
#include "reports/analysis/compare.h"
#include "reports/analysis/declared_trends.h"
#include "reports/analysis/floors.h"
#include "reports/analysis/looks.h"

namespace ablate::reports {
namespace {

MetricRow metric_from(const store::StoredMetric& metric) {
  return {.name = metric.name,
          .label = metric.label,
          .unit = metric.unit,
          .better = metric.better,
          .comparable_across = metric.comparable_across,
          .description = metric.description,
          .subject = metric.subject,
          .index = metric.index,
          .task = metric.task};
}

void add_metric(std::vector<MetricRow>& metrics, const store::StoredMetric& declared,
                const std::string& arm) {
  auto row = std::ranges::find(metrics, declared.name, &MetricRow::name);
  if (row == metrics.end()) row = metrics.insert(row, metric_from(declared));
  if (!declared.caveat.empty()) row->caveats[declared.caveat].push_back(arm);
  if (declared.bounds) row->bounds[arm] = *declared.bounds;
  row->comparable_across = std::min(row->comparable_across, declared.comparable_across);
  if (row->better != declared.better) row->better = Better::neither;
}

/// Whether the plan of an arm says of no metric what it is read against.
bool lacks_bounds(const store::StoredPlan& plan, const std::vector<ArmResult>& arms) {
  return std::ranges::any_of(arms, [&](const ArmResult& arm) {
    const auto& metrics = plan.metrics_of(arm.name);
    return !metrics.empty() && std::ranges::none_of(metrics, [](const auto& metric) {
      return metric.bounds.has_value();
    });
  });
}

std::vector<MetricRow> read_metrics(const store::StoredPlan& plan,
                                    const std::vector<ArmResult>& arms) {
  std::vector<MetricRow> metrics;
  for (const ArmResult& arm : arms)
    for (const store::StoredMetric& declared : plan.metrics_of(arm.name))
      add_metric(metrics, declared, arm.name);
  std::set<std::string> known;
  std::set<std::string> measured;
  for (const MetricRow& row : metrics) known.insert(row.name);
  for (const ArmResult& arm : arms) {
    for (const store::TrialRecord* trial : arm.trials) {
      for (const auto& [name, value] : trial->metrics) measured.insert(name);
    }
  }
  for (const std::string& name : measured) {
    if (!known.contains(name)) metrics.push_back({.name = name, .label = name});
  }
  return metrics;
}

/// The arm of the plan that an arm's trials at the common rate are of: a copy of the arm, unless
/// that rate is its own.
const store::StoredArm& at_common_rate(const store::StoredPlan& plan, const store::StoredArm& own) {
  const auto copy = std::ranges::find(plan.arms, own.name, &store::StoredArm::of);
  return copy == plan.arms.end() ? own : *copy;
}

std::vector<ArmResult> read_arms(const store::StoredPlan& plan, Rates rates) {
  std::vector<ArmResult> arms;
  for (const store::StoredArm& own : plan.arms) {
    if (plan.tuned && !own.of.empty()) continue;
    const store::StoredArm& planned = rates == Rates::common ? at_common_rate(plan, own) : own;
    ArmResult arm;
    arm.name = own.name;
    arm.planned = planned.name;
    arm.label = own.label.empty() ? own.name : own.label;
    arm.material = own.material;
    arm.baseline = own.baseline;
    arm.config = *planned.config;
    arm.settings = arm.config.value("objective", Json::object());
    arm.objective = planned.objective;
    arms.push_back(std::move(arm));
  }
  return arms;
}

void count_outcome(ArmResult& arm, const std::string& outcome) {
  if (outcome == "completed") {
    ++arm.completed;
  } else if (outcome == "failed") {
    ++arm.failed;
  } else if (outcome == "diverged") {
    ++arm.diverged;
  } else {
    ++arm.unfinished;
  }
}

/// Whether the plan has an arm of this name, at whatever rate.
bool is_planned(const store::StoredPlan& plan, const std::string& name) {
  return std::ranges::find(plan.arms, name, &store::StoredArm::name) != plan.arms.end();
}

void distribute(const store::StoredPlan& plan, const std::vector<store::TrialRecord>& trials,
                std::vector<ArmResult>& arms) {
  for (const store::TrialRecord& trial : trials) {
    const auto named = [&](const ArmResult& arm) { return arm.planned == trial.arm; };
    const auto arm = std::find_if(arms.begin(), arms.end(), named);
    if (arm == arms.end() && is_planned(plan, trial.arm)) continue;  // at another rate
    if (arm == arms.end()) {
      damaged(
          "trial {}: the plan has no arm '{}'; rebuild the index with `ablate doctor DIR "
          "--rebuild`",
          trial.id, trial.arm);
    }
    arm->trials.push_back(&trial);
    count_outcome(*arm, trial.outcome);
  }
  const auto by_seed = [](const store::TrialRecord* a, const store::TrialRecord* b) {
    return a->seed < b->seed;
  };
  for (ArmResult& arm : arms) {
    std::sort(arm.trials.begin(), arm.trials.end(), by_seed);
    for (std::size_t i = 1; i < arm.trials.size(); ++i) {
      if (arm.trials[i - 1]->seed != arm.trials[i]->seed) continue;
      damaged("arm '{}', seed {}: two trials; an arm has one trial per seed", arm.name,
              arm.trials[i]->seed);
    }
  }
}

/// The arm's values of a metric, by seed.
Estimate measured(const ArmResult& arm, const std::string& metric) {
  std::vector<std::optional<double>> values;
  for (const store::TrialRecord* trial : arm.trials) {
    const auto found = trial->metrics.find(metric);
    const bool there = trial->outcome == "completed" && found != trial->metrics.end() &&
                       std::isfinite(found->second);
    values.push_back(there ? std::optional<double>(found->second) : std::nullopt);
  }
  return estimate(std::move(values));
}

/// Adds each arm's estimates of the metrics that were declared for it or measured on it.
void estimate_metrics(const store::StoredPlan& plan, const std::vector<MetricRow>& metrics,
                      ArmResult& arm) {
  std::set<std::string> names;
  for (const store::StoredMetric& declared : plan.metrics_of(arm.name)) names.insert(declared.name);
  for (const store::TrialRecord* trial : arm.trials) {
    for (const auto& [name, value] : trial->metrics) names.insert(name);
  }
  for (const MetricRow& row : metrics) {
    if (names.contains(row.name)) arm.metrics.emplace(row.name, measured(arm, row.name));
  }
}

void read_declared_analysis(const store::DeclaredAnalysis& declared, Analysis& analysis) {
  analysis.primary = declared.primary;
  analysis.alpha = declared.alpha;
  analysis.correction = declared.correction;
  analysis.smallest_effect = declared.smallest_effect;
}

/// Gives every arm, and every estimate that is of values by seed, its anchor.
void name_anchors(Analysis& analysis, Rates rates) {
  const std::string_view prefix = rates == Rates::common ? "common" : "values";
  std::size_t count = 0;
  const auto name = [&](Estimate& estimate) {
    estimate.anchor = fmt::format("{}-{}", prefix, ++count);
  };
  std::size_t arms = 0;
  for (ArmResult& arm : analysis.arms) {
    arm.anchor = fmt::format("{}arm-{}", rates == Rates::common ? "common-" : "", ++arms);
    for (auto& [metric, estimate] : arm.metrics) name(estimate);
  }
  for (Difference& difference : analysis.differences) name(difference.over_seeds);
}

}  // namespace

std::optional<double> ArmResult::value_at(const std::string& metric, std::int64_t seed) const {
  const auto found = metrics.find(metric);
  if (found == metrics.end()) return std::nullopt;
  for (std::size_t i = 0; i < trials.size(); ++i)
    if (trials[i]->seed == seed) return found->second.values[i];
  return std::nullopt;
}

Estimate estimate(std::vector<std::optional<double>> values) {
  Estimate result;
  std::vector<double> there;
  for (const auto& value : values) {
    if (value) there.push_back(*value);
  }
  result.values = std::move(values);
  result.n = static_cast<std::int64_t>(there.size());
  if (!there.empty()) result.mean = statistics::mean(there);
  result.interval = statistics::t_interval(there);
  return result;
}

const ArmResult* Analysis::baseline() const {
  for (const ArmResult& arm : arms) {
    if (arm.baseline) return &arm;
  }
  return nullptr;
}

const ArmResult& Analysis::arm(const std::string& name) const {
  return *std::ranges::find(arms, name, &ArmResult::name);
}

const std::string& Analysis::label(const std::string& name) const { return arm(name).label; }

std::vector<const ArmResult*> Analysis::arms_with_records() const {
  std::vector<const ArmResult*> result;
  for (const ArmResult& arm : arms)
    if (!arm.pending()) result.push_back(&arm);
  return result;
}

std::string Analysis::metric_label(const std::string& name) const {
  const MetricRow* const row = metric(name);
  return row == nullptr ? name : row->label;
}

const MetricRow* Analysis::metric(const std::string& name) const {
  for (const MetricRow& row : metrics) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

const Difference* Analysis::difference(const std::string& arm, const std::string& name) const {
  for (const Difference& difference : differences) {
    if (difference.arm == arm && difference.metric == name) return &difference;
  }
  return nullptr;
}

std::int64_t Analysis::trials() const {
  std::size_t count = 0;
  for (const ArmResult& arm : arms) count += arm.trials.size();
  return static_cast<std::int64_t>(count);
}

Analysis analyse(const store::Records& records, Rates rates) {
  Analysis analysis;
  try {
    analysis.plan = store::stored_plan(records.plan);
    const store::StoredPlan& plan = analysis.plan;
    analysis.experiment = plan.experiment;
    analysis.question = plan.question;
    read_declared_analysis(plan.analysis, analysis);
    analysis.arms = read_arms(plan, rates);
    distribute(plan, records.trials, analysis.arms);
    analysis.metrics = read_metrics(plan, analysis.arms);
    for (ArmResult& arm : analysis.arms) estimate_metrics(plan, analysis.metrics, arm);
    analysis.looks = looks_of(plan, analysis.arms);
    analysis.floors_unknown = lacks_bounds(plan, analysis.arms);
    analysis.declared_trends = trend_contrasts(plan.analysis.section, analysis);
  } catch (const Json::exception& error) {
    damaged(
        "the stored plan cannot be read: {}; rebuild the index with `ablate doctor DIR --rebuild`",
        error.what());
  }
  compare(analysis);
  analysis.none_above_floor = none_above_floor(analysis);
  name_anchors(analysis, rates);
  return analysis;
}

}  // namespace ablate::reports

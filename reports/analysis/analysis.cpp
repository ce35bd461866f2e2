#include "reports/analysis/analysis.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "harness/base/error.h"
#include "reports/analysis/compare.h"
#include "reports/analysis/declared_trends.h"
#include "reports/analysis/looks.h"

namespace ablate::reports {
namespace {

std::string text_at(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

MetricRow metric_from(const Json& json) {
  return {text_at(json, "name"), text_at(json, "unit"), better_from(text_at(json, "better")),
          comparable_from(text_at(json, "comparable_across")), text_at(json, "meaning")};
}

void add_metric(std::vector<MetricRow>& metrics, const MetricRow& row, const std::string& arm,
                const std::string& caveat) {
  const auto same = [&](const MetricRow& other) { return other.name == row.name; };
  const auto found = std::find_if(metrics.begin(), metrics.end(), same);
  if (found == metrics.end()) {
    metrics.push_back(row);
    if (!caveat.empty()) metrics.back().caveats[caveat].push_back(arm);
    return;
  }
  if (!caveat.empty()) found->caveats[caveat].push_back(arm);
  found->comparable_across = std::min(found->comparable_across, row.comparable_across);
  if (found->better != row.better) found->better = Better::neither;
}

std::vector<MetricRow> read_metrics(const Json& plan, const std::vector<ArmResult>& arms) {
  std::vector<MetricRow> metrics;
  const Json declared = plan.value("metrics", Json::object());
  for (const ArmResult& arm : arms) {
    for (const Json& row : declared.value(arm.name, Json::array())) {
      add_metric(metrics, metric_from(row), arm.name, text_at(row, "caveat"));
    }
  }
  std::set<std::string> known;
  std::set<std::string> measured;
  for (const MetricRow& row : metrics) known.insert(row.name);
  for (const ArmResult& arm : arms) {
    for (const store::TrialRecord* trial : arm.trials) {
      for (const auto& [name, value] : trial->metrics) measured.insert(name);
    }
  }
  for (const std::string& name : measured) {
    if (!known.contains(name)) metrics.push_back({.name = name});
  }
  return metrics;
}

/// The row of the plan that an arm's trials at the common rate are of: a copy of the arm, unless
/// that rate is its own.
const Json& row_at_common_rate(const Json& plan, const Json& own) {
  for (const Json& row : plan.at("arms"))
    if (text_at(row, "of") == own.at("name").get_ref<const std::string&>()) return row;
  return own;
}

std::vector<ArmResult> read_arms(const Json& plan, Rates rates) {
  std::vector<ArmResult> arms;
  for (const Json& own : plan.at("arms")) {
    if (is_tuned(plan) && !text_at(own, "of").empty()) continue;
    const Json& row = rates == Rates::common ? row_at_common_rate(plan, own) : own;
    ArmResult arm;
    arm.name = own.at("name").get<std::string>();
    arm.planned = row.at("name").get<std::string>();
    arm.label = text_at(own, "label");
    if (arm.label.empty()) arm.label = arm.name;
    arm.material = text_at(own, "material");
    arm.baseline = own.value("baseline", false);
    arm.config = row.value("config", Json::object());
    arm.settings = arm.config.value("objective", Json::object());
    arm.objective =
        row.contains("objective") ? text_at(row, "objective") : text_at(arm.settings, "type");
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
bool is_planned(const Json& plan, const std::string& name) {
  const Json& arms = plan.at("arms");
  return std::any_of(arms.begin(), arms.end(),
                     [&](const Json& row) { return text_at(row, "name") == name; });
}

void distribute(const Json& plan, const std::vector<store::TrialRecord>& trials,
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
void estimate_metrics(const Json& plan, const std::vector<MetricRow>& metrics, ArmResult& arm) {
  std::set<std::string> names;
  for (const Json& row : plan.value("metrics", Json::object()).value(arm.name, Json::array())) {
    names.insert(text_at(row, "name"));
  }
  for (const store::TrialRecord* trial : arm.trials) {
    for (const auto& [name, value] : trial->metrics) names.insert(name);
  }
  for (const MetricRow& row : metrics) {
    if (names.contains(row.name)) arm.metrics.emplace(row.name, measured(arm, row.name));
  }
}

void read_declared_analysis(const Json& plan, Analysis& analysis) {
  const Json declared = plan.value("analysis", Json::object());
  analysis.primary = text_at(declared, "primary");
  analysis.alpha = declared.value("alpha", 0.05);
  const bool corrected = text_at(declared, "correction") != "none";
  analysis.correction = corrected ? statistics::Correction::holm : statistics::Correction::none;
  const Json effect = declared.value("smallest_effect", Json());
  if (effect.is_number()) analysis.smallest_effect = effect.get<double>();
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

/// The types of the probes that have a name of their own. All trials have the same probes.
std::map<std::string, std::string> named_probes(const Json& plan) {
  std::map<std::string, std::string> types;
  const auto trials = plan.find("trials");
  if (trials == plan.end() || trials->empty()) return types;
  for (const Json& probe : trials->front().value("probes", Json::array()))
    if (const std::string name = text_at(probe, "name"); !name.empty())
      types[name] = text_at(probe, "type");
  return types;
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

bool is_tuned(const Json& plan) {
  const Json tuning = plan.value("tuning", Json());
  return tuning.is_object() && text_at(tuning, "stage") == "result";
}

Analysis analyse(const store::Records& records, Rates rates) {
  Analysis analysis;
  try {
    const Json& plan = records.plan;
    analysis.experiment = text_at(plan, plan.contains("experiment") ? "experiment" : "name");
    analysis.question = text_at(plan, "question");
    read_declared_analysis(plan, analysis);
    analysis.arms = read_arms(plan, rates);
    distribute(plan, records.trials, analysis.arms);
    analysis.metrics = read_metrics(plan, analysis.arms);
    for (ArmResult& arm : analysis.arms) estimate_metrics(plan, analysis.metrics, arm);
    analysis.looks = looks_of(plan, analysis.arms);
    analysis.probe_types = named_probes(plan);
    analysis.declared_trends = trend_contrasts(plan.value("analysis", Json::object()), analysis);
  } catch (const Json::exception& error) {
    damaged(
        "the stored plan cannot be read: {}; rebuild the index with `ablate doctor DIR --rebuild`",
        error.what());
  }
  compare(analysis);
  name_anchors(analysis, rates);
  return analysis;
}

}  // namespace ablate::reports

// Asks every probe for its metrics.

#include "harness/plan/describe/metrics.h"

#include <algorithm>

#include "harness/base/error.h"
#include "harness/data/tasks/task.h"
#include "harness/store/plan/stored_bound.h"

namespace ablate::plan {
namespace {

/// Every number at its maximum, every toggle on and every choice at its last. Others are left out.
Json largest_setting(std::span<const Param> params) {
  Json setting = Json::object();
  for (const Param& param : params) {
    const std::string name(param.name);
    if (param.kind == Kind::number || param.kind == Kind::integer) setting[name] = param.maximum;
    if (param.kind == Kind::toggle) setting[name] = true;
    if (param.kind == Kind::choice) setting[name] = param.choices.back();
  }
  return setting;
}

/// A corpus as far as metrics depend on it.
struct AnyCorpus {
  bool language = false;
  Json task = {};  // a section of kind "task"; null on others
};

/// The built-in language, text, and each task with a test of a difficulty that training has none of, so
/// that the metrics of single difficulties are among the others.
std::vector<AnyCorpus> any_corpora() {
  std::vector<AnyCorpus> corpora = {{.language = true}, {}};
  for (const data::TaskSpec& task : data::task_specs()) {
    const data::Difficulty& difficulty = task.difficulty;
    Json dials = Json::object();
    if (difficulty.usual_test.is_null()) {
      Json values = difficulty.usual;
      values.push_back(values.back().get<std::int64_t>() + 1);
      dials[std::string(difficulty.test_name)] = std::move(values);
    }
    corpora.push_back({.task = {{std::string(task.name), std::move(dials)}}});
  }
  return corpora;
}

/// The metrics of a probe for an objective, those of two phases included.
std::vector<Metric> metrics_for(const ProbeSpec& probe, const ObjectiveSpec& objective,
                                const Params& params, std::span<const HeadSpec> heads,
                                const AnyCorpus& corpus) {
  const bool language = corpus.language;
  const Offer offer;
  ProbedArm arm{objective, params, offer, heads, language};
  if (!corpus.task.is_null()) arm.task = &corpus.task;
  arm.routes = true;
  arm.loss.label_smoothing = 0.1;
  std::vector<Metric> metrics = probe.metrics(Params(probe.params, Json::object()), arm);
  if (probe.phase_metrics == nullptr) return metrics;
  const std::vector<Metric> further =
      probe.phase_metrics({{std::string(kFirstPhase), &objective, params},
                           {std::string(kLastPhase), &objective, params}},
                          language);
  metrics.insert(metrics.end(), further.begin(), further.end());
  return metrics;
}

std::string_view text_at(const Json& row, const char* key) {
  return row.at(key).get_ref<const std::string&>();
}

/// Empty where a plan of before has none.
std::string label_of(const Json& row) {
  return row.contains("label") ? std::string(text_at(row, "label")) : std::string();
}

void add_objective(std::vector<std::string_view>& objectives, std::string_view name) {
  if (std::ranges::find(objectives, name) == objectives.end()) objectives.push_back(name);
}

}  // namespace

std::map<std::string, MeasuredMetric> measured_metrics(const Catalog& catalog) {
  const std::vector<AnyCorpus> corpora = any_corpora();
  std::map<std::string, MeasuredMetric> by_name;
  for (const ObjectiveSpec& objective : catalog.objectives)
    for (const Json& setting : {Json(Json::object()), largest_setting(objective.params)}) {
      const Params params(objective.params, setting);
      for (const ProbeSpec& probe : catalog.probes)
        for (const AnyCorpus& corpus : corpora)
          for (const Metric& metric :
               metrics_for(probe, objective, params, catalog.heads, corpus)) {
            const MeasuredMetric first{metric, probe.name, {}};
            auto& objectives = by_name.try_emplace(metric.name, first).first->second.objectives;
            add_objective(objectives, objective.name);
          }
    }
  return by_name;
}

std::map<std::string, MeasuredMetric> planned_metrics(const Json& plan) try {
  std::map<std::string, MeasuredMetric> by_name;
  for (const Json& arm : plan.at("arms"))
    for (const Json& row : plan.at("metrics").at(text_at(arm, "name"))) {
      const MeasuredMetric first{
          {.name = std::string(text_at(row, "name")),
           .label = label_of(row),
           .unit = text_at(row, "unit"),
           .better = better_from(text_at(row, "better")),
           .comparable_across = comparable_from(text_at(row, "comparable_across")),
           .description = std::string(text_at(row, "meaning")),
           .bounds = store::stored_bounds(row.value("bounds", Json()))},
          "",
          {}};
      add_objective(by_name.try_emplace(first.metric.name, first).first->second.objectives,
                    text_at(arm, "objective"));
    }
  return by_name;
} catch (const Json::exception& error) {
  damaged("plan.json: its metrics cannot be read: {}", error.what());
}

}  // namespace ablate::plan

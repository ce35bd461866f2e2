// Asks every probe for its metrics.

#include "harness/plan/describe/metrics.h"

#include <algorithm>

#include "harness/base/error.h"

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

/// The metrics of a probe for an objective, those of two phases included.
std::vector<Metric> metrics_for(const ProbeSpec& probe, const ObjectiveSpec& objective,
                                const Params& params, std::span<const HeadSpec> heads,
                                bool language) {
  std::vector<Metric> metrics = probe.metrics(Params(probe.params, Json::object()),
                                              {objective, params, Offer(), heads, language});
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

void add_objective(std::vector<std::string_view>& objectives, std::string_view name) {
  if (std::ranges::find(objectives, name) == objectives.end()) objectives.push_back(name);
}

}  // namespace

std::map<std::string, MeasuredMetric> measured_metrics(const Catalog& catalog) {
  std::map<std::string, MeasuredMetric> by_name;
  for (const ObjectiveSpec& objective : catalog.objectives)
    for (const Json& setting : {Json(Json::object()), largest_setting(objective.params)}) {
      const Params params(objective.params, setting);
      for (const ProbeSpec& probe : catalog.probes)
        for (const bool language : {true, false})
          for (const Metric& metric :
               metrics_for(probe, objective, params, catalog.heads, language)) {
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
           .unit = text_at(row, "unit"),
           .better = better_from(text_at(row, "better")),
           .comparable_across = comparable_from(text_at(row, "comparable_across")),
           .description = std::string(text_at(row, "meaning"))},
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

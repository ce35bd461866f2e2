#include "harness/plan/price/metrics.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <map>
#include <stdexcept>
#include <utility>

#include "harness/plan/file/merge.h"
#include "harness/plan/prepare/phase_probes.h"
#include "harness/plan/resolve/resolve.h"
#include "harness/plan/rows/train_params.h"
#include "harness/store/plan/stored_bound.h"

namespace ablate::plan {
namespace {

/// The strictest comparability that any arm declares for a metric. The report uses it for all arms.
Comparable comparable_across(const MetricsByArm& metrics, const std::string& name) {
  Comparable strictest = Comparable::all_arms;
  for (const auto& [arm, list] : metrics)
    for (const Metric& metric : list)
      if (metric.name == name) strictest = std::min(strictest, metric.comparable_across);
  return strictest;
}

bool yields(const std::vector<Metric>& metrics, const std::string& name) {
  return std::any_of(metrics.begin(), metrics.end(),
                     [&](const Metric& metric) { return metric.name == name; });
}

ObjectiveSetting objective_of(const ResolvedArm& arm) {
  return {arm.objective_spec->name, arm.objective};
}

Json index_json(const MetricIndex& index) {
  return {{"value", index.value},
          {"name", index.name},
          {"label", index.label},
          {"meaning", index.description}};
}

/// Adds the metrics of the arm to `of_arm`, and faults where a probe refuses it or two measure the same.
void add_metrics(const Catalog& catalog, const Experiment& experiment, const ResolvedArm& arm,
                 const ProbedArm& probed, std::vector<Metric>& of_arm, Faults& faults) {
  std::map<std::string, std::string> measured_by;  // the probe of each metric
  for (const PlannedProbe& probe : experiment.probes) {
    const auto refusal = probe.spec->refusal;
    const std::string wrong = refusal == nullptr ? "" : refusal(probe.params, probed);
    if (!wrong.empty())
      faults.add(experiment.sources->value_at(probe.entry),
                 fmt::format("probe '{}': {}", probe.spec->name, wrong));
    const std::string name = probe_name(probe.section);
    bool clashes = false;
    for (Metric& metric : metrics_of_arm(catalog, *probe.spec, probe.params, arm, probed)) {
      const std::string& owner = measured_by.emplace(metric.name, name).first->second;
      if (owner != name && !std::exchange(clashes, true))
        faults.add(experiment.sources->value_at(probe.entry),
                   fmt::format("probe '{}' measures '{}', as probe '{}' does; give one of them "
                               "another name",
                               name, metric.name, owner));
      of_arm.push_back(std::move(metric));
    }
  }
}

}  // namespace

MetricsByArm metrics_of(const Catalog& catalog, const Experiment& experiment, Faults& faults) {
  MetricsByArm metrics;
  if (experiment.corpus_kind.empty()) return metrics;
  for_each_probed(catalog, experiment, [&](const ResolvedArm& arm, const ProbedArm& probed) {
    try {
      add_metrics(catalog, experiment, arm, probed, metrics[arm.name], faults);
    } catch (const std::invalid_argument& error) {  // what its objective is asked for has no answer
      faults.add(place_in_arm(*experiment.sources, arm, "/objective"),
                 fmt::format("arm '{}': {}", arm.name, error.what()));
    }
  });
  if (!experiment.complete) return metrics;
  for (const PlannedProbe& probe : experiment.probes) check_phase_probe(experiment, probe, faults);
  return metrics;
}

MetricsByArm metrics_of(const Catalog& catalog, const Experiment& experiment,
                        const ProbeSpec& probe) {
  MetricsByArm metrics;
  const Params params(probe.params, Json::object());
  for_each_probed(catalog, experiment, [&](const ResolvedArm& arm, const ProbedArm& probed) {
    std::vector<Metric>& of_arm = metrics[arm.name];
    try {
      of_arm = metrics_of_arm(catalog, probe, params, arm, probed);
    } catch (const std::invalid_argument&) {  // the other metrics_of() says why it has none
    }
  });
  return metrics;
}

bool works_by_default(const Catalog& catalog, const Experiment& experiment,
                      const ProbeSpec& probe) {
  std::vector<Refusal> refusals;
  const Json defaults = resolve(probe.params, Json::object(), refusals);
  if (!refusals.empty()) return false;
  const Params params(probe.params, defaults);
  bool works = true;
  for_each_probed(catalog, experiment, [&](const ResolvedArm&, const ProbedArm& probed) {
    try {
      works = works && (probe.refusal == nullptr || probe.refusal(params, probed).empty());
    } catch (const std::invalid_argument&) {
      works = false;
    }
  });
  return works;
}

Json metric_json(const Metric& metric) {
  Json json = {{"name", metric.name},
               {"label", metric.label},
               {"unit", metric.unit},
               {"better", name_of(metric.better)},
               {"comparable_across", name_of(metric.comparable_across)},
               {"meaning", metric.description},
               {"subject", metric.subject},
               {"bounds", store::bounds_json(metric.bounds)}};
  if (!metric.caveat.empty()) json.emplace("caveat", metric.caveat);
  if (metric.index) json.emplace("index", index_json(*metric.index));
  if (metric.task) json.emplace("task", true);
  return json;
}

Json metrics_json(const MetricsByArm& metrics) {
  Json json = Json::object();
  for (const auto& [arm, list] : metrics) {
    Json& of_arm = json.emplace(arm, Json::array()).first.value();
    for (const Metric& metric : list) of_arm.push_back(metric_json(metric));
  }
  return json;
}

bool compares(const Experiment& experiment, const MetricsByArm& metrics, const std::string& name,
              std::size_t a, std::size_t b) {
  const ResolvedArm &one = experiment.arms[a], &other = experiment.arms[b];
  return yields(metrics.at(one.name), name) && yields(metrics.at(other.name), name) &&
         comparable(comparable_across(metrics, name), objective_of(one), objective_of(other));
}

std::vector<bool> compared_by(const Experiment& experiment, const MetricsByArm& metrics,
                              const std::string& name) {
  std::vector<bool> compared(experiment.arms.size(), false);
  for (std::size_t i = 0; i < experiment.arms.size(); ++i)
    compared[i] =
        i != experiment.baseline && compares(experiment, metrics, name, i, experiment.baseline);
  return compared;
}

void for_each_probed(
    const Catalog& catalog, const Experiment& experiment,
    const std::function<void(const ResolvedArm& arm, const ProbedArm& probed)>& work) {
  const bool language = experiment.corpus_kind == "language";
  const bool task = experiment.corpus_kind == "task" && experiment.corpus.is_object();
  const auto context_of = [](const ResolvedArm& arm) {
    return arm.model.value("context", std::int64_t{0});
  };
  const auto width_of = [](const ResolvedArm& arm) {
    return arm.model.value("width", std::int64_t{0});
  };
  const auto routes = [](const ResolvedArm& arm) {
    if (arm.backbone->routes == nullptr) return false;
    Json model = arm.model;
    model.erase("backbone");
    return arm.backbone->routes(Params(arm.backbone->params, model));
  };
  std::int64_t fewest = std::numeric_limits<std::int64_t>::max(), widest = 0;
  for (const ResolvedArm& arm : experiment.arms) {
    fewest = std::min(fewest, context_of(arm));
    widest = std::max(widest, width_of(arm));
  }
  for (const ResolvedArm& arm : experiment.arms) {
    const auto [objective, params] = resolve_objective(catalog, arm.objective);
    work(arm, ProbedArm{*objective, params, arm.backbone->offer, catalog.heads, language,
                        context_of(arm), fewest, width_of(arm), widest,
                        task ? &experiment.corpus : nullptr, routes(arm), loss_of(arm.train)});
  }
}

}  // namespace ablate::plan

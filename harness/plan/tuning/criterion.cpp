#include "harness/plan/tuning/criterion.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "harness/base/names.h"
#include "harness/plan/price/metrics.h"

namespace ablate::plan {
namespace {

/// Whether a probe measures on the held-out part of the corpus, which is the development part of the
/// trials that tune: other probes read documents of their own, which the result is measured on, too.
bool measures_development(const ProbeSpec& spec) {
  return spec.reads_held_out && spec.prepare == nullptr && spec.phase_metrics == nullptr;
}

/// The probes that may choose: those that the experiment lists, then the others with their default
/// settings.
std::vector<PlannedProbe> choosing_probes(const Catalog& catalog, const Experiment& experiment) {
  std::vector<PlannedProbe> probes;
  for (const PlannedProbe& probe : experiment.probes)
    if (measures_development(*probe.spec)) probes.push_back(probe);
  for (const ProbeSpec& spec : catalog.probes) {
    const auto same = [&](const PlannedProbe& probe) { return probe.spec == &spec; };
    if (!measures_development(spec) || std::any_of(probes.begin(), probes.end(), same) ||
        !works_by_default(catalog, experiment, spec))
      continue;
    std::vector<Refusal> refusals;
    Json section = resolve(spec.params, Json::object(), refusals);
    section["type"] = spec.name;
    probes.push_back({&spec, Params(spec.params, Json::object()), std::move(section), "/tuning"});
  }
  return probes;
}

/// The metrics that the probe yields for every arm, as the baseline declares them.
std::vector<Metric> metrics_of_all(const Catalog& catalog, const Experiment& experiment,
                                   const PlannedProbe& probe) {
  Experiment measured = experiment;
  measured.probes = {probe};
  Faults ignored;  // those of listed probes are reported where all metrics are read
  const MetricsByArm metrics = metrics_of(catalog, measured, ignored);
  std::vector<Metric> all;
  for (const Metric& metric : metrics.at(experiment.arms[experiment.baseline].name)) {
    const auto has = [&](const auto& arm) {
      return std::any_of(arm.second.begin(), arm.second.end(),
                         [&](const Metric& other) { return other.name == metric.name; });
    };
    if (std::all_of(metrics.begin(), metrics.end(), has)) all.push_back(metric);
  }
  return all;
}

}  // namespace

std::optional<Criterion> find_criterion(const Catalog& catalog, const Experiment& experiment,
                                        Faults& faults) {
  const std::string& wanted = experiment.tuning->criterion;
  std::vector<std::string> names;
  for (const PlannedProbe& probe : choosing_probes(catalog, experiment))
    for (const Metric& metric : metrics_of_all(catalog, experiment, probe)) {
      if (metric.better == Better::neither) continue;
      if (metric.name == wanted) return Criterion{metric, probe};
      names.push_back(metric.name);
    }
  const Sources& sources = *experiment.sources;
  const bool given = find_pointer(sources.merged(), "/tuning/criterion") != nullptr;
  faults.add(sources.value_at(given ? "/tuning/criterion" : "/tuning"),
             fmt::format("tuning: criterion: no probe measures '{}', better in one direction, of "
                         "every arm on the development part",
                         wanted.substr(0, 80)),
             names.empty()
                 ? "no metric can choose: remove \"tuning\""
                 : suggestion(wanted, std::vector<std::string_view>(names.begin(), names.end())));
  return std::nullopt;
}

}  // namespace ablate::plan

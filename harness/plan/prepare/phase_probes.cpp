// Metrics of phases are named after phases, so a name must stand for the same thing in every arm.

#include "harness/plan/prepare/phase_probes.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <utility>

#include "harness/plan/prepare/prepared.h"

namespace ablate::plan {

namespace {

/// The subject of a probe's metrics: "Frozen probe: intent classes" of one with a name of its own.
std::string title_of(const ProbeSpec& probe, const Params& params) {
  const auto in_words = [](std::string text) {
    std::replace(text.begin(), text.end(), '_', ' ');
    return text;
  };
  std::string subject =
      probe.subject.empty() ? in_words(std::string(probe.name)) : std::string(probe.subject);
  if (params.has("name")) subject += ": " + in_words(params.text("name"));
  return subject;
}

std::vector<Metric> metrics_of_phases(const Catalog& catalog, const ProbeSpec& probe,
                                      const ResolvedArm& arm, bool language) {
  std::vector<PhaseAbout> phases;
  for (const Phase& phase : phases_of(arm))
    if (!phase.name.empty()) {
      ResolvedObjective objective = resolve_objective(catalog, phase.objective);
      phases.push_back({phase.name, objective.spec, std::move(objective.params)});
    }
  return probe.phase_metrics(phases, language);
}

}  // namespace

std::vector<Metric> metrics_of_arm(const Catalog& catalog, const ProbeSpec& probe,
                                   const Params& params, const ResolvedArm& arm,
                                   const ProbedArm& probed) {
  std::vector<Metric> metrics = probe.metrics(params, probed);
  if (probe.phase_metrics != nullptr)
    for (Metric& metric : metrics_of_phases(catalog, probe, arm, probed.language))
      metrics.push_back(std::move(metric));
  for (Metric& metric : metrics)
    if (metric.subject.empty()) metric.subject = title_of(probe, params);
  return metrics;
}

void check_phase_probe(const Experiment& experiment, const PlannedProbe& planned, Faults& faults) {
  const ProbeSpec& probe = *planned.spec;
  if (probe.phase_metrics == nullptr) return;
  struct Known {
    Json description;
    std::string arm;
  };
  std::map<std::string, Known> known;
  const Place place = experiment.sources->value_at(planned.entry);
  for (const ResolvedArm& arm : experiment.arms)
    for (const Phase& phase : phases_of(arm)) {
      if (phase.name.empty()) continue;
      const Json description = {phase.objective, phase.context, phase.members[0].corpus};
      const auto [same, is_new] = known.emplace(phase.name, Known{description, arm.name});
      if (!is_new && same->second.description != description)
        faults.add(place,
                   fmt::format("probe '{}': phase '{}' of arm '{}' has another objective, context "
                               "or corpus than that of arm '{}'",
                               probe.name, phase.name, arm.name, same->second.arm),
                   "metrics of phases are named after them: give different phases different names");
    }
  if (known.empty() && !experiment.arms.empty())
    faults.add(place, fmt::format("probe '{}': no arm names phases", probe.name),
               "give an arm \"train.phases\", or leave the probe out");
}

}  // namespace ablate::plan

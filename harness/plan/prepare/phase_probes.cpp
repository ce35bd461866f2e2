// Metrics of phases are named after phases, so a name must stand for the same thing in every arm.

#include "harness/plan/prepare/phase_probes.h"

#include <fmt/core.h>

#include <map>

#include "harness/plan/prepare/prepared.h"

namespace ablate::plan {

std::vector<Metric> metrics_of_arm(const Catalog& catalog, const ProbeSpec& probe,
                                   const Params& params, const ResolvedArm& arm,
                                   const ProbedArm& probed) {
  std::vector<Metric> metrics = probe.metrics(params, probed);
  if (probe.phase_metrics == nullptr) return metrics;
  std::vector<PhaseAbout> phases;
  for (const Phase& phase : phases_of(arm))
    if (!phase.name.empty()) {
      ResolvedObjective objective = resolve_objective(catalog, phase.objective);
      phases.push_back({phase.name, objective.spec, std::move(objective.params)});
    }
  const std::vector<Metric> further = probe.phase_metrics(phases, probed.language);
  metrics.insert(metrics.end(), further.begin(), further.end());
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

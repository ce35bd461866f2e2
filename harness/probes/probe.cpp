// Runs a probe by its name, without gradients.

#include "harness/probes/probe.h"

#include <ATen/core/grad_mode.h>

#include "harness/base/error.h"
#include "harness/plan/resolve/pair.h"
#include "harness/probes/measuring.h"
#include "harness/probes/members.h"
#include "harness/probes/specs.h"

namespace ablate::probes {
namespace {

Measurement measured(const Subject& subject, const Json& probe, const ProbeSpec& spec,
                     const ProgressSink& progress) {
  const Params params = probe_params(spec, probe);
  if (spec.name == "classification")
    return measure_classification(subject, probe, params, progress);
  if (spec.name == "forgetting") return measure_forgetting(subject, params, progress);
  if (spec.name == "generation") return measure_generation(subject, params, progress);
  return measure_held_out(subject, params, progress);
}

/// What a report never heard of would be lost in it.
void check_listed(const Subject& subject, const ProbeSpec& spec, const Measurement& measurement) {
  const Params params = objective_params(subject);
  const bool language = subject.language != nullptr;
  std::vector<Metric> listed = spec.metrics({subject.objective, params, subject.offer, language});
  if (spec.phase_metrics != nullptr) {
    std::vector<PhaseAbout> phases;
    for (const SubjectPhase& phase : subject.phases)
      phases.push_back({phase.phase.name, &phase.objective,
                        objective_params(phase.objective, phase.phase.objective)});
    const std::vector<Metric> further = spec.phase_metrics(phases, language);
    listed.insert(listed.end(), further.begin(), further.end());
  }
  for (const auto& [name, value] : measurement.metrics) {
    bool known = false;
    for (const Metric& metric : listed) known = known || metric.name == name;
    if (!known) throw std::logic_error(join("probe ", spec.name, " does not list metric ", name));
  }
}

}  // namespace

Measurement measure(const Subject& subject, const Json& probe, const ProgressSink& progress) {
  const Catalog catalog{.probes = probe_specs()};
  const ProbeSpec& spec = catalog.probe(probe.at("type").get<std::string>());
  const at::NoGradGuard no_gradients;
  const ProgressSink sink = progress ? progress : [](double) {};
  Measurement measurement = measured(subject, probe, spec, sink);
  check_listed(subject, spec, measurement);
  sink(1);
  return measurement;
}

std::int64_t context_of(const plan::Trial& trial) {
  return trial.config.at("model").at("context").get<std::int64_t>();
}

Params objective_params(const Subject& subject) {
  return objective_params(subject.objective, subject.trial.config.at("objective"));
}

Params objective_params(const ObjectiveSpec& objective, Json section) {
  section.erase("type");
  return Params(objective.params, section);
}

Objective objective_at(const Subject& subject, const Params& params) {
  Objective objective =
      subject.objective.build(params, {subject.vocabulary, context_of(subject.trial)});
  objective.needs = plan::hosted(std::move(objective.needs), subject.offer);
  return objective;
}

}  // namespace ablate::probes

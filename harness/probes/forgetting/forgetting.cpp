// Measures how much training on one corpus increases the loss on the others: the held-out loss at
// the end of each phase on the corpus of each phase.

#include <fmt/core.h>

#include "harness/base/error.h"
#include "harness/probes/held_out/held_out.h"
#include "harness/probes/measuring.h"

namespace ablate::probes {
namespace {

/// Measures the held-out loss of the weights in `network` on the corpus of phase `read`.
Measurement measure_on(const Subject& subject, const SubjectPhase& read, train::Network& network,
                       const plan::ResolvedProbe& probe, const ProgressSink& progress) {
  const Subject one{.seed = subject.seed,
                    .model = subject.model,
                    .phase = read.phase,
                    .corpus = read.corpus,
                    .language = read.language.get(),
                    .network = network,
                    .untrained = subject.untrained,
                    .device = subject.device,
                    .cache = subject.cache};
  return measure_held_out_own(one, probe, progress);
}

}  // namespace

Measurement measure_forgetting(const Subject& subject, const plan::ResolvedProbe& probe,
                               const ProgressSink& progress) {
  Measurement measurement;
  auto& metrics = measurement.metrics;
  const std::vector<SubjectPhase>& phases = subject.phases;
  const auto runs = static_cast<double>(phases.size() * phases.size());
  double done = 0;
  for (const SubjectPhase& after : phases) {
    const auto network = after.trained();
    for (const SubjectPhase& read : phases) {
      const Measurement found = measure_on(subject, read, *network, probe, [&](double fraction) {
        progress((done + fraction) / runs);
      });
      ++done;
      const std::string at = fmt::format("{}_after_{}", read.phase.name, after.phase.name);
      if (!found.metrics.contains("held_out.loss"))
        reject(
            "forgetting: no target is scored in the held-out texts of phase '{}'; raise "
            "forgetting.texts",
            read.phase.name);
      metrics["forgetting.loss_" + at] = found.metrics.at("held_out.loss");
      measurement.details[at] = found.details;
      if (!found.metrics.contains("held_out.excess")) continue;
      metrics["forgetting.excess_" + at] = found.metrics.at("held_out.excess");
      metrics["forgetting.optimum_" + read.phase.name] = found.metrics.at("held_out.optimum");
    }
  }
  if (phases.empty()) return measurement;
  const std::string& first = phases.front().phase.name;
  const auto loss_after = [&](const SubjectPhase& phase) {
    return metrics.at(fmt::format("forgetting.loss_{}_after_{}", first, phase.phase.name));
  };
  metrics["forgetting.increase_" + first] = loss_after(phases.back()) - loss_after(phases.front());
  return measurement;
}

}  // namespace ablate::probes

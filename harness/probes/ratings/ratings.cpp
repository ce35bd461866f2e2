// Measures whether a model finds likelier what people rated higher.

#include <cmath>

#include "harness/probes/measuring.h"
#include "harness/probes/minimal_pairs/choices.h"
#include "harness/probes/ratings/rated_fractions.h"
#include "harness/statistics/paired/rank_correlation.h"

namespace ablate::probes {
namespace {

/// The correlation of people's fractions with those of the costs; 0 where either has no spread, which
/// orders nothing.
double correlation_with(const Choices& choices, std::span<const double> costs) {
  std::vector<double> people;
  people.reserve(choices.completions.size());
  for (const Completion& one : choices.completions) people.push_back(one.ratio);
  const double seen =
      statistics::spearman(without_last(choices.items, people),
                           without_last(choices.items, fractions_of(choices.items, costs)));
  return std::isfinite(seen) ? seen : 0;
}

}  // namespace

Measurement measure_ratings(const Subject& subject, const plan::ResolvedProbe& probe,
                            const ProgressSink& progress) {
  if (cloze_format_of(subject.objective(), subject.phase.params) == ClozeFormat::none)
    return no_measurement(subject_of(probe.params, "ratings"), kNoFormat);
  const data::Corpus corpus = choice_corpus(subject, probe);
  const Choices choices = choices_of(corpus, subject.phase.context);
  const std::string of = subject_of(probe.params, "ratings") + ".";

  Measurement measurement{
      .details = {{"choices", choices.items.size()}, {"too_long", choices.too_long}}};
  std::vector<double> costs = chain_costs(subject, choices);
  measurement.metrics[of + "correlation"] = correlation_with(choices, costs);
  for (std::size_t i = 0; i < costs.size(); ++i)
    costs[i] /= static_cast<double>(choices.completions[i].tokens().size());
  measurement.metrics[of + "correlation_per_token"] = correlation_with(choices, costs);
  progress(0.5);
  const std::unique_ptr<train::Network> initial = subject.untrained();
  measurement.metrics[of + "untrained"] =
      correlation_with(choices, chain_costs(subject.with(*initial), choices));
  return measurement;
}

}  // namespace ablate::probes

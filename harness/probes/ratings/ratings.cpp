// Measures whether a model finds likelier what people rated higher.

#include <cmath>

#include "harness/probes/measuring.h"
#include "harness/probes/minimal_pairs/choices.h"
#include "harness/probes/ratings/rated_fractions.h"
#include "harness/statistics/paired/rank_correlation.h"

namespace ablate::probes {
namespace {

/// Adds the correlation of people's fractions with those of the costs as a metric; says why not where either has no
/// spread, which orders nothing.
void add_correlation(const Choices& choices, std::span<const double> costs, const std::string& name,
                     Measurement& measurement) {
  std::vector<double> people;
  people.reserve(choices.completions.size());
  for (const Completion& one : choices.completions) people.push_back(one.ratio);
  const double seen =
      statistics::spearman(without_last(choices.items, people),
                           without_last(choices.items, fractions_of(choices.items, costs)));
  if (std::isfinite(seen))
    measurement.metrics[name] = seen;
  else
    measurement.details["absent"][name] = "all ratings are equal, or all costs";
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
  add_correlation(choices, costs, of + "correlation", measurement);
  for (std::size_t i = 0; i < costs.size(); ++i)
    costs[i] /= static_cast<double>(choices.completions[i].tokens().size());
  add_correlation(choices, costs, of + "correlation_per_token", measurement);
  progress(0.5);
  const std::unique_ptr<train::Network> initial = subject.untrained();
  add_correlation(choices, chain_costs(subject.with(*initial), choices), of + "untrained",
                  measurement);
  return measurement;
}

}  // namespace ablate::probes

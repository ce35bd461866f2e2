// Measures how well a linear model reads off the hidden states which state of the language emitted
// a token. A bank may be steep or closed: what a model makes of what follows shows here.

#include <fmt/core.h>

#include <numeric>

#include "harness/probes/hidden_state/emitted.h"
#include "harness/probes/linear/token_probe.h"
#include "harness/probes/measuring.h"

namespace ablate::probes {
namespace {

/// Two are enough for as many rows as there are, and more cost as much as training.
constexpr double kStatePenalties[] = {0.01, 0.001};

/// Adds the fraction of right items as "state.NAME", and that of the ambiguous ones.
void add_fractions(std::string_view name, const std::vector<std::uint8_t>& right,
                   const std::vector<std::uint8_t>& ambiguous,
                   std::map<std::string, double>& metrics) {
  double all = 0, unclear = 0, right_unclear = 0;
  for (std::size_t i = 0; i < right.size(); ++i) {
    all += right[i];
    unclear += ambiguous[i];
    right_unclear += right[i] * ambiguous[i];
  }
  metrics[fmt::format("state.{}", name)] = all / static_cast<double>(right.size());
  if (unclear > 0) metrics[fmt::format("state.{}_ambiguous", name)] = right_unclear / unclear;
}

std::vector<std::uint8_t> agreement(const std::vector<std::int32_t>& named,
                                    const TokenItems& emitted) {
  std::vector<std::uint8_t> right;
  for (std::size_t i = 0; i < named.size(); ++i)
    right.push_back(named[i] == emitted.items[i].label ? 1 : 0);
  return right;
}

}  // namespace

Measurement measure_hidden_state(const Subject& subject, const plan::ResolvedProbe& probe,
                                 const ProgressSink& progress) {
  const TokenSplits splits = draw_emitted_splits(
      *subject.language, probe.params, subject.phase.context,
      Rng(static_cast<std::uint64_t>(subject.seed), Stream::probes).fork("hidden_state"));
  const Chain& chain = subject.language->chain();
  const std::vector<std::uint8_t> ambiguous = ambiguous_items(chain, splits.test);
  const LinearProbe trained = probe_tokens(subject.network, subject, splits, kStatePenalties,
                                           [&](double fraction) { progress(fraction / 2); });
  const std::unique_ptr<train::Network> initial = subject.untrained();
  const LinearProbe untrained =
      probe_tokens(*initial, subject, splits, kStatePenalties,
                   [&](double fraction) { progress(0.5 + fraction / 2); });

  Measurement measurement;
  const auto add = [&](std::string_view name, const std::vector<std::uint8_t>& right) {
    add_fractions(name, right, ambiguous, measurement.metrics);
  };
  const auto exact = [&](Given given) {
    return agreement(exact_states(chain, splits.test, given), splits.test);
  };
  const std::vector<std::uint8_t> past = exact(Given::past), document = exact(Given::document);
  const Given seen = seen_by(subject.phase.objective.needs.reading());
  add("accuracy", agreement(trained.named, splits.test));
  add("untrained", agreement(untrained.named, splits.test));
  add("token_alone", exact(Given::token));
  add("filtering", past);
  add("smoothing", document);
  add("bayes", seen == Given::document ? document : seen == Given::past ? past : exact(seen));
  measurement.items["state.accuracy"] = right_by_document(splits.test, trained.named);
  measurement.details = {
      {"trained", chosen_by(trained)},
      {"curves",
       {layer_curve("state.accuracy", trained), layer_curve("state.untrained", untrained)}},
      {"untrained", chosen_by(untrained)},
      {"states", splits.test.classes},
      {"ambiguous", std::accumulate(ambiguous.begin(), ambiguous.end(), std::int64_t{0})}};
  return measurement;
}

}  // namespace ablate::probes

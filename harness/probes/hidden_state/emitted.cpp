#include "harness/probes/hidden_state/emitted.h"

#include <algorithm>
#include <numeric>

namespace ablate::probes {
namespace {

constexpr double kCertain = 0.9;  // a token that names its state with less is ambiguous

using Size = std::size_t;

/// [position, composite state] of the tokens after the begin token: the posterior. Each row is only in
/// proportion to it.
std::vector<double> posterior(const Chain& chain, std::span<const Token> tokens, Given given) {
  const auto time = static_cast<std::int64_t>(tokens.size());
  const auto composite = static_cast<Size>(chain.composite_states());
  const Evidence evidence = emission_likelihood(chain, tokens);
  std::vector<double> others;  // P(state | what is given, without the token itself)
  if (given == Given::past) others = predicted(chain, time, evidence, true);
  if (given == Given::future) others = from_the_right(chain, time, evidence).after;
  if (given == Given::document) others = leave_one_out_smoothing(chain, time, evidence, true);
  std::vector<double> rows(evidence.size());
  for (Size i = 0; i < rows.size(); ++i)
    rows[i] =
        evidence[i] * (others.empty() ? 1 : others[i]) *
        (given == Given::token || given == Given::future ? chain.stationary[i % composite] : 1);
  return rows;
}

/// The sums of a posterior over topics and names, [state].
std::vector<double> by_state(const Chain& chain, std::span<const double> posterior) {
  std::vector<double> sums(static_cast<Size>(chain.states));
  for (Size z = 0; z < posterior.size(); ++z) sums[z % sums.size()] += posterior[z];
  return sums;
}

}  // namespace

void each_posterior(
    const Chain& chain, const TokenItems& emitted, Given given,
    const std::function<void(std::size_t item, std::span<const double> row)>& take) {
  const auto composite = static_cast<Size>(chain.composite_states());
  std::vector<double> rows;
  Size of = emitted.documents.size();  // the document that `rows` are of; none yet
  for (Size i = 0; i < emitted.items.size(); ++i) {
    const TokenItems::Item& item = emitted.items[i];
    if (item.document != of) {
      of = item.document;
      rows = posterior(chain, std::span(emitted.documents[of]).subspan(1), given);
    }
    take(i, std::span<const double>(rows).subspan((item.position - 1) * composite, composite));
  }
}

TokenItems draw_emitted(const data::Language& language, std::int64_t count, std::int64_t context,
                        const Rng& rng) {
  TokenItems emitted{.classes = static_cast<std::int32_t>(language.chain().states - 1)};
  while (std::ssize(emitted.items) < count) {
    const Size number = emitted.documents.size();
    data::Language::Document document = language.document(rng.fork(number));
    if (std::ssize(document.tokens) > context) document.tokens.resize(static_cast<Size>(context));
    for (Size position = 1; position < document.tokens.size(); ++position)
      if (document.tokens[position] != end_token && std::ssize(emitted.items) < count)
        emitted.items.push_back({number, position, document.states[position - 1]});
    emitted.documents.push_back(std::move(document.tokens));
  }
  return emitted;
}

TokenSplits draw_emitted_splits(const data::Language& language, const Params& sizes,
                                std::int64_t context, const Rng& rng) {
  const auto drawn = [&](const std::string& split) {
    return draw_emitted(language, sizes.integer(split + "_tokens"), context, rng.fork(split));
  };
  return {drawn("training"), drawn("development"), drawn("test")};
}

std::vector<std::int32_t> exact_states(const Chain& chain, const TokenItems& emitted, Given given) {
  std::vector<std::int32_t> named(emitted.items.size());
  each_posterior(chain, emitted, given, [&](Size item, std::span<const double> all) {
    const std::vector<double> row = by_state(chain, all);
    named[item] = static_cast<std::int32_t>(std::max_element(row.begin(), row.end()) - row.begin());
  });
  return named;
}

std::vector<std::uint8_t> ambiguous_items(const Chain& chain, const TokenItems& emitted) {
  std::vector<std::uint8_t> ambiguous(emitted.items.size());
  each_posterior(chain, emitted, Given::token, [&](Size item, std::span<const double> all) {
    const std::vector<double> row = by_state(chain, all);
    const double sum = std::accumulate(row.begin(), row.end(), 0.0);
    ambiguous[item] = *std::max_element(row.begin(), row.end()) < kCertain * sum ? 1 : 0;
  });
  return ambiguous;
}

}  // namespace ablate::probes

#include "harness/probes/belief/beliefs.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ablate::probes {
namespace {

using Extent = std::size_t;

constexpr double kLeastProbability = 1e-12;  // of a next token: its logarithm is a feature

Extent composite_of(const Chain& chain) { return static_cast<Extent>(chain.composite_states()); }

/// A column for each value of `of(composite state)`, below `count`.
template <class Of>
Matrix indicator(const Chain& chain, std::int64_t count, const Of& of) {
  Matrix matrix{count, std::vector<double>(composite_of(chain) * static_cast<Extent>(count))};
  for (Extent z = 0; z < composite_of(chain); ++z)
    matrix.values[z * static_cast<Extent>(count) + of(z)] = 1;
  return matrix;
}

}  // namespace

Matrix beliefs(const Chain& chain, const TokenItems& emitted, Given given) {
  Matrix matrix{chain.composite_states()};
  matrix.values.reserve(emitted.items.size() * composite_of(chain));
  each_posterior(chain, emitted, given, [&](Extent, std::span<const double> row) {
    const double sum = std::accumulate(row.begin(), row.end(), 0.0);
    for (const double p : row) matrix.values.push_back(p / sum);
  });
  return matrix;
}

Matrix next_laws(const Chain& chain, const TokenItems& emitted) {
  const Matrix past = beliefs(chain, emitted, Given::past);
  const Extent composite = composite_of(chain), ordinary = static_cast<Extent>(chain.ordinary),
               states = static_cast<Extent>(chain.states);
  Matrix laws{chain.ordinary + 1};
  for (Extent item = 0; item < emitted.items.size(); ++item) {
    const std::vector<double> next =
        transition_step(chain, std::span(past.values).subspan(item * composite, composite));
    std::vector<double> law(ordinary + 1);
    for (Extent z = 0; z < composite; ++z) {
      if (z % states + 1 == states) law[ordinary] += next[z];
      for (Extent token = 0; token < ordinary; ++token)
        law[token] += next[z] * chain.emission[z * ordinary + token];
    }
    for (const double p : law) laws.values.push_back(std::log(std::max(p, kLeastProbability)));
  }
  return laws;
}

Matrix last_tokens(const Chain& chain, const TokenItems& emitted, std::int64_t count,
                   Reading reading) {
  const Extent part = static_cast<Extent>(chain.ordinary) + 1, parts = static_cast<Extent>(count);
  Matrix matrix{count * (chain.ordinary + 1),
                std::vector<double>(emitted.items.size() * parts * part)};
  for (Extent i = 0; i < emitted.items.size(); ++i) {
    const TokenItems::Item& item = emitted.items[i];
    for (Extent back = 0; back < parts; ++back) {
      const std::vector<Token>& document = emitted.documents[item.document];
      const Extent at = reading.reversed ? item.position + back : item.position - back;
      // Position 0 is the begin token; below it, the difference is a large number.
      const bool there = at > 0 && at < document.size() && document[at] != end_token;
      const Token token = there ? document[at] - special_count : chain.ordinary;
      matrix.values[(i * parts + back) * part + static_cast<Extent>(token)] = 1;
    }
  }
  return matrix;
}

Matrix topic_of_state(const Chain& chain) {
  std::int64_t topics = 0;
  for (const Chain::Block& block : chain.blocks)
    topics = std::max<std::int64_t>(topics, block.topic + 1);
  return indicator(chain, topics, [&](Extent z) {
    return static_cast<Extent>(chain.blocks[z / static_cast<Extent>(chain.states)].topic);
  });
}

Matrix state_of_state(const Chain& chain) {
  return indicator(chain, chain.states,
                   [&](Extent z) { return z % static_cast<Extent>(chain.states); });
}

}  // namespace ablate::probes

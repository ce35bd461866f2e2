#include "harness/probes/belief/beliefs.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ablate::probes {
namespace {

using Extent = std::size_t;

constexpr double kLeastProbability = 1e-12;  // of a next token: its logarithm is a feature

Extent composite_of(const Chain& chain) { return static_cast<Extent>(chain.composite_states()); }

/// [position, composite] of the tokens after the begin token; each row sums to 1.
std::vector<double> document_beliefs(const Chain& chain, std::span<const Token> tokens,
                                     Given given) {
  const auto time = static_cast<std::int64_t>(tokens.size());
  const Extent composite = composite_of(chain);
  const Evidence evidence = emission_likelihood(chain, tokens);
  std::vector<double> rows = given == Given::past ? predicted(chain, time, evidence, true)
                             : given == Given::document
                                 ? leave_one_out_smoothing(chain, time, evidence, true)
                                 : std::vector<double>(evidence.size());
  for (Extent t = 0; t < tokens.size(); ++t) {
    const auto row = std::span(rows).subspan(t * composite, composite);
    for (Extent z = 0; z < composite; ++z) {
      if (given == Given::token) row[z] = chain.stationary[z];
      row[z] *= evidence[t * composite + z];
    }
    const double sum = std::accumulate(row.begin(), row.end(), 0.0);
    for (double& p : row) p /= sum;
  }
  return rows;
}

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
  const Extent composite = composite_of(chain);
  Matrix matrix{chain.composite_states()};
  matrix.values.reserve(emitted.items.size() * composite);
  std::vector<double> rows;
  Extent of = emitted.documents.size();  // the document that `rows` are of; none yet
  for (const TokenItems::Item& item : emitted.items) {
    if (item.document != of) {
      of = item.document;
      rows = document_beliefs(chain, std::span(emitted.documents[of]).subspan(1), given);
    }
    const auto row = std::span(rows).subspan((item.position - 1) * composite, composite);
    matrix.values.insert(matrix.values.end(), row.begin(), row.end());
  }
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

Matrix last_tokens(const Chain& chain, const TokenItems& emitted, std::int64_t count) {
  const Extent part = static_cast<Extent>(chain.ordinary) + 1, parts = static_cast<Extent>(count);
  Matrix matrix{count * (chain.ordinary + 1),
                std::vector<double>(emitted.items.size() * parts * part)};
  for (Extent i = 0; i < emitted.items.size(); ++i) {
    const TokenItems::Item& item = emitted.items[i];
    for (Extent back = 0; back < parts; ++back) {
      const bool there = item.position > back;  // position 0 is the begin token
      const Token token =
          there ? emitted.documents[item.document][item.position - back] - special_count
                : chain.ordinary;
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

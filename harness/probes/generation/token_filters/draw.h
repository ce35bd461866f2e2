// One draw from a model's distribution, in double precision. Without LibTorch.

#pragma once

#include <span>
#include <vector>

#include "harness/contract/vocabulary.h"

namespace ablate::probes {

/// A token and its log-probability.
struct Draw {
  Token token = 0;
  double log_probability = 0;  // in nats, under the distribution that was drawn from
};

/// What the next token may be: the ordinary ids in their order and, last, the end token where the
/// text may end. All three in double precision.
struct TokenDistribution {
  std::vector<double> scores;  // log-probabilities but for a constant, the highest 0
  std::vector<double> masses;  // exp(scores); 0: is not drawn
  double total = 0;            // sum of the masses

  /// The probability of an entry.
  double probability(std::size_t entry) const { return masses[entry] / total; }

  /// Leaves out the entries for which `kept` is 0; `kept`: one for each entry. Requires: keeps an
  /// entry of mass above 0.
  void keep(std::span<const std::uint8_t> kept);
};

/// softmax(logits / temperature) over the ordinary ids and, where `may_end`, the end token; other
/// ids do not occur in text. `logits`: [vocabulary]. Throws std::runtime_error where the logits are
/// not finite.
TokenDistribution token_distribution(std::span<const float> logits, const Vocabulary& vocabulary,
                                     bool may_end, double temperature);

/// The token that an entry of a distribution stands for.
Token token_of(std::size_t entry, const Vocabulary& vocabulary);

/// The entry that a random number in [0, 1) draws from the masses, which add up to `total`.
std::size_t drawn_entry(std::span<const double> masses, double total, double uniform);

/// Draws from the distribution. `uniform`: a random number in [0, 1).
Draw draw_from(const TokenDistribution& distribution, const Vocabulary& vocabulary, double uniform);

/// Draws from token_distribution() of the same arguments.
Draw draw_token(std::span<const float> logits, const Vocabulary& vocabulary, bool may_end,
                double temperature, double uniform);

}  // namespace ablate::probes

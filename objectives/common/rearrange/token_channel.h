// The exact predictor for masked language modelling, where tokens are hidden independently and
// shown as a mask, as a random token or unchanged: a noisy channel from the language to the reader.

#pragma once

#include <algorithm>
#include <span>

#include "harness/contract/objective.h"

namespace ablate::objectives {

/// The probabilities with which a token is hidden and shown.
struct TokenChannel {
  double rate = 0;     // probability that a token that is not special is hidden
  double mask = 0;     // fraction of the hidden tokens shown as the mask token
  double random = 0;   // fraction of the hidden tokens shown as a random ordinary token
  Token ordinary = 0;  // number of ordinary ids

  /// The fraction of the hidden tokens shown unchanged.
  double keep() const { return std::max(0.0, 1.0 - mask - random); }
};

/// The likelihood P(o | z) of each shown token o under each state z of the language, [time,
/// composite state]. End tokens are never hidden, so a state that ends a document has likelihood 0
/// wherever no end token is shown.
Evidence evidence_through(const TokenChannel& channel, const Chain& language,
                          std::span<const Token> inputs);

/// Probabilities at a position that is known to be hidden, up to a common factor.
struct HiddenDistribution {
  double shown = 0;     // P(o | hidden), o the shown token
  double and_true = 0;  // P(o, x | hidden), x the true token
};

/// The probabilities of the shown token `o` and the true token `x`, given weights u(z) of the
/// position's state according to all other inputs, [composite state].
HiddenDistribution hidden_distribution(const TokenChannel& channel, const Chain& language,
                                       const double* u, Token o, Token x);

/// The loss of the exact predictor on an in-place example that passed through the channel. The
/// predictor sees all inputs, knows the channel, and knows that each scored position was hidden.
Loss optimum_through(const TokenChannel& channel, const Chain& language, const Text& text,
                     const Example& example);

/// The loss of the best predictor that sees only the input at the target's own position. `unigram`
/// ends with P(end token), which is never hidden. Targets missing from it, such as a tokenizer's
/// unknown piece, are not scored.
Loss context_free_through(const TokenChannel& channel, std::span<const double> unigram,
                          const Example& example);

}  // namespace ablate::objectives

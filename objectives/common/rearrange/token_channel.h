// The exact predictor of tokens that are hidden in place, each on its own, and shown as a mask, as
// a random token or as they are: a noisy channel between the language and the reader.

#pragma once

#include <algorithm>
#include <span>

#include "harness/contract/objective.h"

namespace ablate::objectives {

struct TokenChannel {
  double rate = 0;    // probability that a token is hidden, if it is not special
  double mask = 0;    // of those hidden, the fraction shown as the mask token
  double random = 0;  // the fraction shown as a random ordinary token; the rest is kept
  Token ordinary = 0;

  double keep() const { return std::max(0.0, 1.0 - mask - random); }
};

/// P(o | z) at every position of the inputs, o what is shown there and z a state of the language:
/// the channel's evidence. An end token is never hidden: where none is shown there is none.
Evidence evidence_through(const TokenChannel& channel, const Chain& language,
                          std::span<const Token> inputs);

/// Of a position that is known to be hidden.
struct HiddenDistribution {
  double shown = 0;     // P(o | hidden)
  double and_true = 0;  // P(o, x | hidden), x the true token
};

/// The law where u(z) is what the inputs elsewhere say of the position's state [block, state].
HiddenDistribution hidden_distribution(const TokenChannel& channel, const Chain& language,
                                       const double* u, Token o, Token x);

/// The loss of the exact predictor of an in-place example that came through the channel. It is
/// given all of the inputs, knows the channel, and of each scored position that it was hidden.
Loss optimum_through(const TokenChannel& channel, const Chain& language, const Text& text,
                     const Example& example);

/// The same for a predictor that is given the input at the target's own position alone. `unigram`
/// ends with the end token, which is never hidden; targets that it does not know, such as a
/// tokenizer's unknown piece, are left out.
Loss context_free_through(const TokenChannel& channel, std::span<const double> unigram,
                          const Example& example);

}  // namespace ablate::objectives

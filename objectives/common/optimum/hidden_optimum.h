// The exact predictor of hidden tokens at known positions.
//
// It knows the length of the text, which tokens are hidden and where documents end, and it sees all
// other tokens. A model knows less, so this predictor's loss is a lower bound.

#pragma once

#include <span>
#include <vector>

#include "harness/contract/objective.h"

namespace ablate::objectives {

/// -log P(hidden tokens | other tokens), nats. `hidden` has one flag for each of `tokens`.
double cost_of_hidden(const Chain& language, std::span<const Token> tokens,
                      const std::vector<bool>& hidden);

/// The loss of predicting each target by its unigram probability, ignoring the inputs: for targets
/// that are plain text. Special ids other than the end token are not scored. `unigram` holds
/// P(ordinary token), followed by P(end token).
Loss cost_without_context(std::span<const double> unigram, const Example& example);

/// The sum of the example's positive weights.
double scored_weight(const Example& example);

}  // namespace ablate::objectives

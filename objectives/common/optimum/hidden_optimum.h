// The exact predictor of tokens that are hidden from it, of whose places it is told.
//
// It knows how many tokens a text has, which of them are hidden, and where a document ends among
// them; it sees all others. A model is told less, so what this one loses is a lower bound.

#pragma once

#include <span>
#include <vector>

#include "harness/contract/objective.h"

namespace ablate::objectives {

/// -log P(hidden tokens | the others), in nats. `hidden`: one for each of `tokens`.
double cost_of_hidden(const Chain& language, std::span<const Token> tokens,
                      const std::vector<bool>& hidden);

/// Targets by their share of the corpus, whatever was read: for those that are plain text. A
/// special id other than the end token has no share and is left out.
Loss cost_without_context(std::span<const double> unigram, const Example& example);

/// What the weights that count add up to.
double scored_weight(const Example& example);

}  // namespace ablate::objectives

// The loss of the exact predictor that reconstructs a text from inputs with one kind of noise:
// -log P(text | inputs) = log P(inputs) - log P(inputs, text).
//
// Each example comes from one document's part. The inputs keep the begin token and the end token in
// place; the targets are all of the text.

#pragma once

#include "harness/contract/chain.h"
#include "harness/contract/example.h"
#include "harness/contract/loss.h"

namespace ablate::objectives {

/// The loss if words were replaced with masks independently. It does not depend on the masking
/// rate: masks reveal only their positions.
Loss optimum_of_masked(const Chain& language, const Example& example);

/// The loss if words were deleted independently: a sum over all alignments of the remaining words
/// with the text. A lower bound, because the predictor knows how many words the text had.
Loss optimum_of_deleted(const Chain& language, const Example& example);

/// The loss if the words were rotated with this probability, by a uniformly drawn number of words.
Loss optimum_of_rotated(double probability, const Chain& language, const Example& example);

}  // namespace ablate::objectives

// What the exact predictor of a text loses that has read it through one kind of noise:
// -log P(text | inputs) = log P(inputs) - log P(inputs, text).
//
// The examples are of one document's part each: inputs, which keep the begin token and the end
// token in their places, then all of the text as targets.

#pragma once

#include "harness/contract/chain.h"
#include "harness/contract/example.h"
#include "harness/contract/loss.h"

namespace ablate::objectives {

/// Words are hidden behind masks, each on its own: whatever the rate is, masks tell nothing but
/// where they stand.
Loss optimum_of_masked(const Chain& language, const Example& example);

/// Words are left out, each on its own. The predictor is told how many words the text had, which a
/// model is not: a lower optimum. Sums over all ways in which what is left may lie in the text.
Loss optimum_of_deleted(const Chain& language, const Example& example);

/// With this probability the words are rotated, by every number of words equally likely.
Loss optimum_of_rotated(double probability, const Chain& language, const Example& example);

}  // namespace ablate::objectives

// The exact predictor of a pair's hidden tokens and of its label, for a language whose distribution
// is known.
//
// The predictor does not see the label, so it weighs both. If B follows A, or the two were swapped,
// they are one run of a document. If B comes from another document, A is followed by as many unseen
// tokens, and B is a run that starts anywhere.
//
// Assumptions: a pair is cut at every position with equal probability, and a random segment starts
// at every position of the corpus with equal probability. The first holds where segments may start
// at any token. The second holds approximately, because documents are drawn with equal probability
// whatever their length. Where an assumption fails, the losses are above the optimum.

#pragma once

#include "objectives/common/pairs/pairs.h"
#include "objectives/common/rearrange/token_channel.h"

namespace ablate::objectives {

/// The loss on the scored hidden tokens. Requires: an example made by `paired` with balanced
/// negatives, then passed through the channel.
Loss pair_token_optimum(const TokenChannel& channel, PairKind kind, const Chain& language,
                        const Example& example);

/// The loss on the labels of the example. The predictor does not know which tokens are hidden.
Loss pair_label_optimum(const TokenChannel& channel, PairKind kind, const Chain& language,
                        const Example& example);

}  // namespace ablate::objectives

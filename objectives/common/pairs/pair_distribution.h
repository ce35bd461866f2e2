// The exact predictor of a pair's hidden tokens and of its label, where the text is of a language
// whose law is known.
//
// What it does not see is which label the pair has: it weighs both. If B follows, or the two have
// changed places, they are one stretch of a document; if B is another document's, A goes on unseen
// for as many tokens, and B is a stretch that starts anywhere.
//
// It takes a pair to be cut anywhere alike, and a random segment to start anywhere in the corpus
// alike. The first is so where segments meet at any token. The second is not quite: documents are
// drawn alike, whatever their lengths. Where the assumption does not hold the losses are above the
// optimum.

#pragma once

#include "objectives/common/pairs/pairs.h"
#include "objectives/common/rearrange/token_channel.h"

namespace ablate::objectives {

/// The loss of the hidden tokens that are scored. Requires: inputs in the format of `paired`, with
/// balanced negatives, then through the channel.
Loss pair_token_optimum(const TokenChannel& channel, PairKind kind, const Chain& language,
                        const Example& example);

/// The loss of the labels of the example; nothing is known of which tokens are hidden.
Loss pair_label_optimum(const TokenChannel& channel, PairKind kind, const Chain& language,
                        const Example& example);

}  // namespace ablate::objectives

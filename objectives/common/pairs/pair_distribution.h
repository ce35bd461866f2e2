// The exact predictor of a pair's hidden tokens and of its label, for a language whose distribution
// is known.
//
// The predictor does not see the label, so it weighs both. If B follows A, or the two were swapped,
// they are one run of a document. If B comes from another document, A is followed by as many unseen
// tokens, and B is a run that starts anywhere.
//
// Where a pair was cut says something too. Cut at sentences, it was cut behind one of the states that
// end a sentence, each as probable as the others, so a path of states through n such ends has 1/n of
// its probability. 1/n is the integral of s^(n-1) over s from 0 to 1: each value of s is a belief of
// its own, which multiplies the evidence of every other such end by s (Gauss-Legendre quadrature,
// exact up to 24 sentences in a pair).
//
// Assumption: a random segment starts at every position of the corpus with equal probability. It
// does not quite, because documents are drawn with equal probability whatever their length, and
// because it too starts a sentence; so the losses of next sentence prediction are above the optimum.

#pragma once

#include "objectives/common/pairs/pairs.h"
#include "objectives/common/rearrange/token_channel.h"

namespace ablate::objectives {

/// What the predictor knows of how pairs were made.
struct PairMaking {
  PairKind kind = PairKind::none;
  bool at_sentences = false;  // cut where a sentence starts; false: at any token
};

/// The loss on the scored hidden tokens. Requires: an example made by `paired` with balanced
/// negatives, then passed through the channel.
Loss pair_token_optimum(const TokenChannel& channel, const PairMaking& making,
                        const Chain& language, const Example& example);

/// The loss on the labels of the example. The predictor does not know which tokens are hidden.
Loss pair_label_optimum(const TokenChannel& channel, const PairMaking& making,
                        const Chain& language, const Example& example);

}  // namespace ablate::objectives

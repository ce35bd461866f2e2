// An in-place objective on pairs of segments, with or without a loss for the pair's label.
//
// Liu et al. 2019 (arXiv:1907.11692, section 4.2) compare three things that are apart here:
//   the loss          pair_weight, 0 or more; `pair: none` leaves out broken pairs as well
//   the input format  format: pair or plain
//   full sentences or document sentences   train.packing: joined or isolated, with format: plain

#pragma once

#include "objectives/common/pairs/pairs.h"
#include "objectives/common/rearrange/token_channel.h"

namespace ablate::objectives {

/// The parameters that an objective which can read pairs has besides its own.
std::vector<Param> pair_params();

/// The heads that the parameters ask for besides the one that predicts tokens.
std::vector<HeadNeed> pair_heads(const Params& params);

/// The objective as it is where the format is plain; else on pairs. `channel` is what a text's
/// tokens went through: the optimum needs it. `fixed`: a text is made the same pair whenever it is
/// read. Requires: the objective works in place and hides tokens one for one. Throws
/// std::invalid_argument for parameters that contradict each other.
Objective on_pairs(const Params& params, Objective objective,
                   std::function<TokenChannel(const Text&)> channel, bool fixed);

/// What is left of the kind of optimum that the objective has on plain text.
OptimumKind on_pairs(const Params& params, OptimumKind kind);

}  // namespace ablate::objectives

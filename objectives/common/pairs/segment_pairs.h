// An in-place objective on pairs of segments, with or without a loss on the pair's label.
//
// Liu et al. 2019 (arXiv:1907.11692, section 4.2) compare three things that are separate
// parameters here:
//   the loss          pair_weight, 0 or more; `pair: none` makes no broken pairs either
//   the input format  format: pair or plain
//   full sentences or document sentences   train.packing: joined or isolated, with format: plain

#pragma once

#include "objectives/common/pairs/pairs.h"
#include "objectives/common/rearrange/token_channel.h"

namespace ablate::objectives {

/// The declared parameters for pairs, to append to those of an objective that can read pairs.
std::vector<Param> pair_params();

/// The heads that the parameters need in addition to the token head; empty without a pair loss.
std::vector<HeadNeed> pair_heads(const Params& params);

/// Wraps `objective` so that it reads pairs; returns it unchanged if format is plain. `channel`
/// returns the noise applied to a text's tokens, which the optimum needs. `fixed`: a text becomes
/// the same pair every time it is read. Requires: an in-place objective that replaces tokens one
/// for one. Throws std::invalid_argument for parameters that contradict each other.
Objective pair_objective(const Params& params, Objective objective,
                         const std::function<TokenChannel(const Text&)>& channel, bool fixed);

/// The kind of optimum of the pair objective, given the kind `kind` that it has on plain text.
OptimumKind pair_optimum_kind(const Params& params, OptimumKind kind);

}  // namespace ablate::objectives

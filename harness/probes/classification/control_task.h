// Labels that say nothing, to learn how much a probe can learn by heart. Without LibTorch.

#pragma once

#include <span>
#include <vector>

#include "harness/base/rng.h"
#include "harness/contract/vocabulary.h"
#include "harness/probes/linear/token_items.h"

namespace ablate::probes {

/// A label for each document that depends on its first token after the begin token and on nothing
/// else: each token's label is drawn once, from the empirical distribution of `labels`, for all
/// splits alike. Source: Hewitt and Liang 2019, arXiv:1909.03368, section 2.1. Differs: labels of
/// documents, where the paper labels words.
std::vector<std::int32_t> control_labels(std::span<const std::vector<Token>> documents,
                                         std::span<const std::int32_t> labels, const Rng& rng);

/// The same items with labels that depend on an item's token and on nothing else, drawn from the
/// empirical distribution of the labels of `training`. Source as above. Differs: a word has the label
/// of its first token, at which it is probed.
TokenItems with_control_labels(TokenItems tokens, const TokenItems& training, const Rng& rng);

}  // namespace ablate::probes

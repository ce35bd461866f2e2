// Labels that say nothing, to learn how much a probe can learn by heart. Without LibTorch.

#pragma once

#include <span>
#include <vector>

#include "harness/base/rng.h"
#include "harness/contract/vocabulary.h"

namespace ablate::probes {

/// A label for each document that depends on its first token after the begin token and on nothing
/// else: each token's label is drawn once, from the empirical distribution of `labels`, for all
/// splits alike. Source: Hewitt and Liang 2019, arXiv:1909.03368, section 2.1. Differs: labels of
/// documents, where the paper labels words.
std::vector<std::int32_t> control_labels(std::span<const std::vector<Token>> documents,
                                         std::span<const std::int32_t> labels, const Rng& rng);

}  // namespace ablate::probes

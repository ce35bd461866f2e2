// Features of pairs of texts that a model reads one by one.

#pragma once

#include <span>
#include <vector>

#include "harness/contract/vocabulary.h"
#include "harness/probes/linear/features.h"

namespace ablate::probes {

/// Both texts of each pair, one after the other, as documents of their own: from a begin token to an
/// end token. `pairs`: documents with a separator between their texts; where a cut has removed it, the
/// second text is empty. Returns [2 * pair].
std::vector<std::vector<Token>> texts_of_pairs(std::span<const std::vector<Token>> pairs);

/// [u; v; |u - v|; u * v] of the features u and v of the texts of each pair: from [2 * pair, width],
/// [pair, 4 * width]. Source: Conneau et al. 2017, arXiv 1705.02364, section 3.1.
LayerFeatures pair_features(const LayerFeatures& texts);

}  // namespace ablate::probes

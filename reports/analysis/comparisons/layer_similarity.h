// How alike the hidden states of arms are, layer by layer.

#pragma once

#include <cstddef>
#include <vector>

#include "reports/analysis/analysis.h"

namespace ablate::reports {

/// Unbiased linear CKA between a layer of one arm and a layer of another, or of the same arm, on the
/// same documents: 1 where one is a rotation and scaling of the other, about 0 where they have nothing
/// in common. Source: Kornblith et al. 2019, arXiv:1905.00414, section 3.
struct LayerSimilarity {
  const ArmResult* first = nullptr;
  const ArmResult* second = nullptr;
  std::size_t first_layer = 0, second_layer = 0;  // 0: the embeddings
  bool last_layers = false;                       // of two arms, the last of each
  Estimate over_seeds;                            // by the first arm's seeds
};

/// For each two arms that may be compared and each two of their layers, and for each arm and each two
/// of its own layers, where a seed has both; in the order of the arms, then of the layers. The result
/// points into the analysis.
std::vector<LayerSimilarity> layer_similarities(const Analysis& analysis);

}  // namespace ablate::reports

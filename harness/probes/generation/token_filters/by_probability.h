// The order in which truncating filters take tokens. Without LibTorch.

#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "harness/probes/generation/token_filters/draw.h"

namespace ablate::probes {

/// The entries from the most probable on; equally probable ones in their order.
inline std::vector<std::size_t> by_probability(const TokenDistribution& distribution) {
  std::vector<std::size_t> order(distribution.scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return distribution.scores[a] > distribution.scores[b];
  });
  return order;
}

}  // namespace ablate::probes

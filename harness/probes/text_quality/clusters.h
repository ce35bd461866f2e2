// k-means clustering. Deterministic in its seed.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "harness/base/rng.h"

namespace ablate::probes {

/// The cluster of each point, in [0, k). `points`: [count, width]. The best of `starts` runs of
/// Lloyd's algorithm, each from centres drawn by k-means++ (Arthur and Vassilvitskii 2007) and at
/// most 500 rounds long. Requires: at least one point; 1 <= k.
std::vector<std::size_t> clusters_of(std::span<const float> points, std::size_t width,
                                     std::size_t k, int starts, const Rng& rng);

}  // namespace ablate::probes

// Which tokens of a target are hidden together in the order-agnostic bound. Without LibTorch.

#pragma once

#include <cstddef>
#include <vector>

#include "harness/base/rng.h"

namespace ablate::probes {

/// A random set of each size from 1 to `count` of the numbers [0, count), each ascending. Of every
/// size all sets are equally likely; the sets of size k and count - k are complements (antithetic),
/// so that a number that is cheap to hide is in one of the two.
std::vector<std::vector<std::size_t>> stratified_sets(std::size_t count, Rng rng);

}  // namespace ablate::probes

// Dropout by key: whether a unit is dropped depends on its lane's seed, the step, the layer and its
// index, never on its lane or its neighbours.

#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

namespace ablate::models {

/// What makes a mask.
struct DropoutKey {
  double dropped = 0;                // fraction of the units
  std::vector<std::uint64_t> seeds;  // by lane
  std::int64_t step = 0;
  std::int64_t layer = 0;
};

/// `x` [lane, ...] with units zeroed and the rest divided by the kept fraction, so that its mean
/// stays. Source: Srivastava et al. 2014, "Dropout".
at::Tensor drop(const at::Tensor& x, const DropoutKey& key);

}  // namespace ablate::models

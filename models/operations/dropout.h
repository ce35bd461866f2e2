// Keyed dropout: whether a unit is dropped depends on its lane's seed, the step, the layer and its
// index, never on the number of the lane or on other lanes.

#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

namespace ablate::models {

/// Determines a dropout mask.
struct DropoutKey {
  double dropped = 0;                // fraction of the units
  std::vector<std::uint64_t> seeds;  // by lane
  std::int64_t step = 0;
  std::int64_t layer = 0;  // index of the dropout in the network
  at::Tensor keys;         // step and seeds where `x` is on a device; see train::Inputs
};

/// `x` [lane, ...] with some units set to zero and the others divided by the kept fraction, which
/// preserves the mean. Source: Srivastava et al. 2014, "Dropout".
at::Tensor drop(const at::Tensor& x, const DropoutKey& key);

}  // namespace ablate::models

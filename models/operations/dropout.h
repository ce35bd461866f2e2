// Keyed dropout: whether a unit is dropped depends on its lane's seed, the step, the layer and its
// index among the step's rows, never on the number of the lane, on other lanes, or on how the rows of
// a step are divided.

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
  std::int64_t first_row = 0;  // the number of the first row of `x` in the step
  std::int64_t layer = 0;      // index of the dropout in the network
  at::Tensor keys;             // step, first row and seeds on a device; see train::Inputs
};

/// `x` [lane, row, ...] with some units set to zero and the others divided by the kept fraction, which
/// preserves the mean. Source: Srivastava et al. 2014, "Dropout".
at::Tensor drop(const at::Tensor& x, const DropoutKey& key);

}  // namespace ablate::models

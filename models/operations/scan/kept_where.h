// Numbers of which some are left out.

#pragma once

#include <ATen/core/Tensor.h>

namespace ablate::models {

/// `x` with zeros in the place of all numbers that are not kept, whatever they are.
inline at::Tensor kept_where(const at::Tensor& x, const at::Tensor& keep) {
  return x.masked_fill(keep.logical_not(), 0);
}

}  // namespace ablate::models

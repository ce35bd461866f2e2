// Positions beside the one before them.

#pragma once

#include <ATen/core/Tensor.h>

namespace ablate::models {

/// What stands one position before each of `x` [lane, batch, time, width] in its document, whose first position
/// is `from` [lane, batch, time]; 0 before the first one. `before` [lane, batch, 1, width]: what was read before
/// the first position of the rows; undefined: nothing. Differentiable.
at::Tensor shifted(const at::Tensor& x, const at::Tensor& from, const at::Tensor& before);

}  // namespace ablate::models

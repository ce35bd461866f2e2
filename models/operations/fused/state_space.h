// The recurrence of a state-space layer and its convolution with their gradients, in kernels.

#pragma once

#include "models/operations/scan/state_space.h"

namespace ablate::models::fused {

/// As state_space_scan() without a state before. Rows of another type than float32, and those whose
/// documents do not follow each other, are read by that.
at::Tensor state_space(const StateSpaceRows& rows);

/// As silu of convolved() with nothing before; of another type than float32 by that.
at::Tensor activated_convolution(const at::Tensor& channels, const ShortConvolution& convolution,
                                 const at::Tensor& from);

}  // namespace ablate::models::fused

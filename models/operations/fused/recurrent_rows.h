// Rows whose documents follow each other, which kernels of recurrences read.

#pragma once

#include <ATen/core/Tensor.h>

namespace ablate::models::fused {

/// Whether each position begins a document or belongs to that of the one before it. `from`: as in
/// StateSpaceRows, contiguous.
bool follow_each_other(const at::Tensor& from);

}  // namespace ablate::models::fused

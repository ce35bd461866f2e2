// Residual addition and norm, using the CPU kernels.

#pragma once

#include "models/operations/operations.h"

namespace ablate::models::fused {

/// As Operations::add_norm.
Normed add_norm(const at::Tensor& residual, const at::Tensor& delta, const at::Tensor& gain,
                Norm norm, at::ScalarType type);

}  // namespace ablate::models::fused

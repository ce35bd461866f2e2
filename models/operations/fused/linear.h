// Linear layers, with and without an activation, using the CPU kernels.

#pragma once

#include "models/operations/operations.h"

namespace ablate::models::fused {

/// As Operations::linear.
at::Tensor linear(const at::Tensor& x, const at::Tensor& weight);

/// As Operations::activated.
at::Tensor activated(const at::Tensor& x, const at::Tensor& weight, Activation kind);

}  // namespace ablate::models::fused

// Residual addition and norm on a device.

#pragma once

#include "models/operations/operations.h"

namespace ablate::models::device {

/// As Operations::add_norm.
Normed add_norm(const at::Tensor& residual, const at::Tensor& delta, const at::Tensor& gain,
                Norm norm, at::ScalarType type);

}  // namespace ablate::models::device

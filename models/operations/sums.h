// The type that sums are taken in.

#pragma once

#include <ATen/core/Tensor.h>

namespace ablate::models {

/// That of sums over activations of a type: float64 where these are, else float32.
constexpr at::ScalarType sums_of(at::ScalarType activations) {
  return activations == at::kDouble ? at::kDouble : at::kFloat;
}

}  // namespace ablate::models

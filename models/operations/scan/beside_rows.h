// What the rows of a lane share.

#pragma once

#include <ATen/core/Tensor.h>

namespace ablate::models {

/// Vectors [lane, width] beside each position of rows: [lane, 1, 1, width].
inline at::Tensor beside_rows(const at::Tensor& of_lanes) {
  return of_lanes.unsqueeze(1).unsqueeze(1);
}

}  // namespace ablate::models

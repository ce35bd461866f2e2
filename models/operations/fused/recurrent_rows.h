// Rows as the kernels of recurrences read them.

#pragma once

#include <ATen/core/Tensor.h>

#include <utility>
#include <vector>

#include "models/operations/kernel_memory.h"

namespace ablate::models::fused {

/// Whether kernels read rows of this type: float32, and each position begins a document or belongs to that
/// of the one before it. `from`: as in StateSpaceRows, contiguous.
bool kernels_read(at::ScalarType type, const at::Tensor& from);

/// Contiguous tensors of rows [lane, batch, ...] and of lanes [lane, ...]; the first is of rows.
struct RecurrentRows {
  explicit RecurrentRows(std::vector<at::Tensor> tensors)
      : all(std::move(tensors)), batch(all[0].size(1)), rows(all[0].size(0) * batch) {}

  /// What tensor number `index` has of a row, or of the row's lane.
  template <class T = float>
  T* of_row(std::size_t index, std::int64_t row) const {
    return data<T>(all[index]) + row * (all[index].numel() / rows);
  }
  float* of_lane(std::size_t index, std::int64_t row) const {
    return data<float>(all[index]) + row / batch * (all[index].numel() / (rows / batch));
  }

  std::vector<at::Tensor> all;
  std::int64_t batch, rows;
};

}  // namespace ablate::models::fused

// Low-precision copies of the weight matrices, updated once per step.

#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

namespace ablate::models {

/// Low-precision copies of float32 masters. A product reads the copy; its gradient goes to the
/// master in float32. Copies keep their memory, so that a recorded CUDA graph can update them.
class LowPrecision {
 public:
  /// No copies yet; `type` is their type, such as bfloat16.
  explicit LowPrecision(at::ScalarType type) : type_(type) {}

  /// Updates all existing copies from their masters.
  void renew();

  /// The copy of `master`, made by the first call; differentiable. Requires: each master is always
  /// passed with the same index.
  at::Tensor of(std::size_t index, const at::Tensor& master);

 private:
  at::ScalarType type_;
  std::vector<at::Tensor> masters_, copies_;  // by index; undefined if never requested
};

}  // namespace ablate::models

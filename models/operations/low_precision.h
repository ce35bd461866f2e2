// Copies of the matrices in the products' type, renewed once a step.

#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

namespace ablate::models {

/// Bfloat16 copies of float32 masters. A product reads the copy, and its gradient goes to the
/// master as float32. Each copy stays where it is, so that a recorded step can renew it.
class LowPrecision {
 public:
  explicit LowPrecision(at::ScalarType type) : type_(type) {}

  /// Renews all copies that exist.
  void renew();

  /// The copy of `master`, made at the first call; differentiable. Requires: the masters are asked
  /// for under the same index each time.
  at::Tensor of(std::size_t index, const at::Tensor& master);

 private:
  at::ScalarType type_;
  std::vector<at::Tensor> masters_, copies_;  // by index; undefined where never asked for
};

}  // namespace ablate::models

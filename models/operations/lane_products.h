// Matrix products on the CPU, lane by lane, so that a lane's result does not depend on the others.

#pragma once

#include <ATen/core/Tensor.h>

namespace ablate::models {

/// x [lane, rows, in] times weight [lane, out, in] transposed: [lane, rows, out].
at::Tensor times_transposed(const at::Tensor& x, const at::Tensor& weight);

/// An activation of a product and its derivatives at the product.
struct ActivatedProduct {
  at::Tensor values, derivatives;
};

/// GELU (erf) of times_transposed(x, weight) and its derivatives, [lane, rows, out] each.
ActivatedProduct gelu_of_product(const at::Tensor& x, const at::Tensor& weight);

/// x [lane, rows, out] times weight [lane, out, in]: [lane, rows, in].
at::Tensor times(const at::Tensor& x, const at::Tensor& weight);

/// left [lane, rows, out] transposed, times right [lane, rows, in]: float32 [lane, out, in].
at::Tensor transposed_times(const at::Tensor& left, const at::Tensor& right);

}  // namespace ablate::models

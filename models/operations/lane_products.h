// Matrix products lane by lane on the CPU: what a lane gets does not depend on its neighbours.

#pragma once

#include <ATen/core/Tensor.h>

namespace ablate::models {

/// x [lane, rows, in] times weight [lane, out, in] transposed: [lane, rows, out].
at::Tensor times_transposed(const at::Tensor& x, const at::Tensor& weight);

/// An activation of a product, and its derivatives there.
struct ActivatedProduct {
  at::Tensor values, derivatives;
};

/// GELU (erf) of that product: [lane, rows, out], as are the derivatives.
ActivatedProduct gelu_of_product(const at::Tensor& x, const at::Tensor& weight);

/// x [lane, rows, out] times weight [lane, out, in]: [lane, rows, in].
at::Tensor times(const at::Tensor& x, const at::Tensor& weight);

/// left [lane, rows, out] transposed, times right [lane, rows, in]: float32 [lane, out, in].
at::Tensor transposed_times(const at::Tensor& left, const at::Tensor& right);

}  // namespace ablate::models

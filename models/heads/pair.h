// The logits of the head for pairs.

#pragma once

#include <ATen/core/Tensor.h>

namespace ablate::models {

/// The logits of classes at positions (int64 [lane, chosen], row * time + t) of hidden states [lane,
/// batch, time, width]: [lane, chosen, class], by a layer with tanh and a product with `classes`.
/// `pool`: [lane, width, width]; `classes`: [lane, class, width].
at::Tensor pair_logits(const at::Tensor& hidden, const at::Tensor& pool, const at::Tensor& classes,
                       const at::Tensor& positions);

}  // namespace ablate::models

// The logits of the head for pairs.

#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace ablate::models {

/// The logits of classes at positions (int64 [lanes, chosen], row * time + t) of the lanes from
/// `first` on: [lanes, chosen, class], by a layer with tanh and a product with `classes`. `hidden`:
/// [lane, batch, time, width]; `pool`: [lane, width, width]; `classes`: [lane, class, width].
at::Tensor pair_logits(const at::Tensor& hidden, const at::Tensor& pool, const at::Tensor& classes,
                       std::int64_t first, const at::Tensor& positions);

}  // namespace ablate::models

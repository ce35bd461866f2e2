// Rows that experts read, sorted by expert, in tensors whose sizes do not depend on who reads what.

#pragma once

#include <ATen/core/Tensor.h>

namespace ablate::models {

/// Where the rows of places go. The rows of an expert lie one after the other and fill up whole blocks; each
/// lane has as many blocks as the worst choice needs, so that nothing is ever dropped.
/// Source: Gale et al. 2023, "MegaBlocks", arXiv:2211.15841, section 5.
struct Routing {
  std::int64_t rows = 0;  // of a block
  at::Tensor slots;       // int64 [lane, place, chosen]: where each choice of a place lies
  at::Tensor places;      // int64 [lane, slot]: the place that lies there; 0 where none does
  at::Tensor owners;      // int64 [lane, block]: the expert that reads it
};

/// Sorts the choices `chosen` [lane, place, chosen], int64 in [0, experts), of every place.
Routing routed(const at::Tensor& chosen, std::int64_t experts);

/// The rows `x` [lane, place, width] where the routing has them: [lane * block, 1, row, width]. Slots in
/// which no place lies have any values. Differentiable.
at::Tensor dispatched(const at::Tensor& x, const Routing& routing);

/// For each place the sum of its choices' rows in `y` [lane * block, 1, row, width], times `gates` [lane,
/// place, chosen], float32: [lane, place, width] in the type of y. Differentiable.
at::Tensor combined(const at::Tensor& y, const at::Tensor& gates, const Routing& routing);

/// The weights of each block's owner, of `weights` [lane, expert, out, in]: [lane * block, out, in].
/// Differentiable; gradients are summed in float32.
at::Tensor weights_of_blocks(const at::Tensor& weights, const Routing& routing);

}  // namespace ablate::models

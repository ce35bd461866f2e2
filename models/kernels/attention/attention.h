// Attention for short contexts and small heads, with per-position visibility and without a score
// matrix in memory.

#pragma once

#include <cstdint>

#include "models/kernels/simd/simd.h"

namespace ablate::models::kernels {

struct AttentionShape {
  std::int64_t rows;  // lanes * batch
  std::int64_t time, heads, head_width;
};

/// The position of each token and the positions it attends to, [rows, time] each.
struct AttentionMask {
  const std::int64_t* positions;
  const std::int64_t* visible_from;
  const std::int64_t* visible_until;
  const float* rotary;  // [context, 2, head_width] or null; see AttentionMask in operations.h

  // A second interval that each token attends to, behind the first one; null: none does.
  const std::int64_t* also_from = nullptr;
  const std::int64_t* also_until = nullptr;

  // What a score loses for each position between a query and its key, [heads]; null: nothing.
  const float* slopes = nullptr;
};

/// Softmax statistics of each query that the backward pass needs, [rows, heads, time] each.
struct AttentionSums {
  float* highest;  // the largest score
  float* inverse;  // 1 / the sum of e^(score - highest); 0 if the query sees no key
};

/// Computes `out` [rows, time, width] and `sums` from `qkv` [rows, time, 3 * width]. Scores are
/// float32; the backward pass computes them again. Requires: 0 <= visible_from, visible_until <=
/// time, positions in [0, context).
///
/// Source: Dao et al. 2022, arXiv 2205.14135, with a single block of keys.
template <class T>
void attention(AttentionShape shape, AttentionMask mask, const T* qkv, T* out, AttentionSums sums);

/// The backward pass of `attention`: `qkv_gradient` [rows, time, 3 * width] from `out_gradient`
/// [rows, time, width] and the forward pass's arguments and results.
template <class T>
void attention_backward(AttentionShape shape, AttentionMask mask, const T* qkv, const T* out,
                        AttentionSums sums, const T* out_gradient, T* qkv_gradient);

}  // namespace ablate::models::kernels

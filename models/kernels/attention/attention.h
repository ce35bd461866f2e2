// Attention of small contexts and heads, by visibility, without a matrix of scores in memory.

#pragma once

#include <cstdint>

#include "models/kernels/simd/simd.h"

namespace ablate::models::kernels {

struct AttentionShape {
  std::int64_t rows;  // lanes * batch
  std::int64_t time, heads, head_width;
};

/// Where each position stands and what it sees, [rows, time] each.
struct AttentionMask {
  const std::int64_t* positions;
  const std::int64_t* visible_from;
  const std::int64_t* visible_until;
  const float*
      rotary;  // [context, 2, head_width], or null: see AttentionMask in models/operations.h
};

/// What the way back needs of each query, [rows, heads, time] each.
struct AttentionSums {
  float* highest;  // the largest score
  float* inverse;  // one over the sum of e^(score - highest); 0 where nothing is seen
};

/// `qkv` [rows, time, 3 * width] to `out` [rows, time, width]; scores are computed in float32, and
/// again on the way back. Requires: 0 <= from, until <= time, positions in [0, context).
///
/// Source: Dao et al. 2022, arXiv 2205.14135, in one block of keys.
template <class T>
void attention(AttentionShape shape, AttentionMask mask, const T* qkv, T* out, AttentionSums sums);

template <class T>
void attention_backward(AttentionShape shape, AttentionMask mask, const T* qkv, const T* out,
                        AttentionSums sums, const T* out_gradient, T* qkv_gradient);

}  // namespace ablate::models::kernels

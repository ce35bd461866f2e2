// Attention of positions that follow others, whose keys and values are kept.

#pragma once

#include "models/kernels/attention/attention.h"

namespace ablate::models::kernels {

/// Keys of a block, which lie across, so that vectors hold one unit of several keys.
constexpr std::int64_t kKeyBlock = 16;

/// Where keys and values are kept: keys, rotated, [rows, heads, room / 16, head_width, 16], and values
/// [rows, heads, room, head_width]. `room` is a multiple of 16.
template <class T>
struct Kept {
  T* keys;
  T* values;
  std::int64_t room;
  float* positions;  // of the keys, [rows, room]; null unless the mask has slopes
};

/// Writes keys and values of `qkv` [rows, time, 3 * width] to `places` [rows, time], then computes `out`
/// [rows, time, width]: attention to what is kept, within the visibility of the mask. A row of the result
/// depends on its own row alone. Requires: bounds of visibility in [0, room], places in [0, room).
template <class T>
void attention_step(AttentionShape shape, AttentionMask mask, const std::int64_t* places,
                    const T* qkv, Kept<T> kept, T* out);

}  // namespace ablate::models::kernels

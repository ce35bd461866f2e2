// Attention with per-position visibility on any device: written out in ATen, or by LibTorch's fused
// operation. Its source is one of the two files that depend on LibTorch's version.

#pragma once

#include "models/operations/operations.h"

namespace ablate::models {

/// Whether this LibTorch has `scaled_dot_product_attention` (2.1 and later).
bool has_library_attention();

/// The rotary table of a mask at each position, as AttentionMask::angles; undefined unless
/// positions are rotary.
at::Tensor angles_of(const AttentionMask& mask);

/// Rotates pairs of units (d, d + head_width / 2) of `x` [..., time, heads, head_width] by `angles` [...,
/// time, 1, 2, head_width]; `x` itself if they are undefined. Source: Su et al. 2021, "RoFormer", arXiv
/// 2104.09864.
at::Tensor rotated(const at::Tensor& x, const at::Tensor& angles);

/// Queries, keys and values, all [lane, batch, heads, time, head_width] in one type.
struct AttentionHeads {
  at::Tensor queries, keys, values;
};

/// Those of `qkv` [lane, batch, time, 3 * width] in its type, queries and keys rotated by the mask's
/// positions. The mask need not be prepared.
AttentionHeads heads_of(const at::Tensor& qkv, const AttentionMask& mask);

/// What scores lose by the distance of `positions` [lane, batch, time] from those of keys [lane, batch, count]:
/// float32 [lane, batch, heads, time, count]. Source: Press et al. 2022, "ALiBi", arXiv:2108.12409, section 3;
/// of keys that follow, as much as of those before.
at::Tensor lost_by_distance(const at::Tensor& slopes, const at::Tensor& positions,
                            const at::Tensor& keys);

/// `mask` with `seen` and, where it has slopes, `lost` set, for plain_attention.
AttentionMask with_seen(AttentionMask mask);

/// `mask` with `bias` (in `type`) and `blind` set, for library_attention. Causal and full masks without slopes
/// stay unchanged, because the library supports them directly.
AttentionMask with_bias(AttentionMask mask, at::ScalarType type);

/// The mask of positions that see [from, until) of `source_time` source positions; `from` and
/// `until` are int64 [lane, batch, time].
AttentionMask with_source(const at::Tensor& from, const at::Tensor& until, std::int64_t source_time,
                          std::int64_t heads);

/// Attention of queries over keys and values, all [lane, batch, heads, time, head_width]; the
/// result has the shape of `q`. A position that sees nothing gets zeros. Requires: a mask with
/// `seen`.
at::Tensor plain_attention(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                           const AttentionMask& mask);

/// `kept`, of which dimension 3 counts positions by `unit`, with room for `end` of them: itself, or a larger
/// one with zeros behind it, which grows by doubling. `sizes`: of the other dimensions.
at::Tensor with_room(const at::Tensor& kept, std::vector<std::int64_t> sizes, std::int64_t unit,
                     std::int64_t end, const at::TensorOptions& options);

/// As plain_attention, by LibTorch's fused operation. Requires: has_library_attention(), a mask
/// from with_bias().
at::Tensor library_attention(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                             const AttentionMask& mask);

/// As Operations::cross_attention, written out in ATen.
at::Tensor attention_across(const at::Tensor& q, const at::Tensor& kv, const AttentionMask& mask);

}  // namespace ablate::models

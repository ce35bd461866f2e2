// Attention by visibility on any device: written out in ATen, or by the library's own fused
// operation. Its source is one of the two files that look at LibTorch's version.

#pragma once

#include "models/operations/operations.h"

namespace ablate::models {

/// Whether this LibTorch has `scaled_dot_product_attention` (2.1 and later).
bool has_library_attention();

/// The mask with `seen`, which written-out attention reads.
AttentionMask with_seen(AttentionMask mask);

/// The mask with `bias` and `blind` in `type`, which the library's attention reads; without them
/// where it is causal or full, which the library knows by itself.
AttentionMask with_bias(AttentionMask mask, at::ScalarType type);

/// The mask of positions that see [from, until) of a source of `source_time` positions; both
/// [lane, batch, time], int64.
AttentionMask with_source(const at::Tensor& from, const at::Tensor& until, std::int64_t source_time,
                          std::int64_t heads);

/// Attention of queries over keys and values, all [lane, batch, heads, time, head_width]. A
/// position that sees nothing gets zeros. Requires: a mask with `seen`.
at::Tensor plain_attention(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                           const AttentionMask& mask);

/// The same by the library. Requires: has_library_attention(), a mask from with_bias().
at::Tensor library_attention(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                             const AttentionMask& mask);

/// Attention over a source, see Operations::cross_attention, written out.
at::Tensor attention_across(const at::Tensor& q, const at::Tensor& kv, const AttentionMask& mask);

}  // namespace ablate::models

// Attention by visibility on any device: written out in ATen, or by the library's own fused
// operation. Its source is one of the two files that look at LibTorch's version.

#pragma once

#include "models/operations/operations.h"

namespace ablate::models {

/// Whether this LibTorch has `scaled_dot_product_attention` (2.1 and later).
bool has_library_attention();

/// The sight with `seen`, which written-out attention reads.
AttentionMask with_seen(AttentionMask sight);

/// The sight with `bias` and `blind` in `type`, which the library's attention reads; without them
/// where it is causal or full, which the library knows by itself.
AttentionMask with_bias(AttentionMask sight, at::ScalarType type);

/// Attention of queries over keys and values, all [lane, batch, heads, time, head_width]. A
/// position that sees nothing gets zeros. Requires: a sight with `seen`.
at::Tensor plain_attention(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                           const AttentionMask& sight);

/// Attention over a source, see Operations::cross_attention, written out.
at::Tensor attention_across(const at::Tensor& q, const at::Tensor& kv, const AttentionMask& sight);

/// The same by the library. Requires: has_library_attention(), a sight from with_bias().
at::Tensor library_attention(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                             const AttentionMask& sight);

}  // namespace ablate::models

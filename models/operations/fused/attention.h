// Attention with per-position visibility, using the CPU kernels.

#pragma once

#include "models/operations/operations.h"

namespace ablate::models::fused {

/// As Operations::attention. Throws std::logic_error if the mask contains a position or a bound out
/// of range, because the kernels would read beyond a tensor.
at::Tensor attention(const at::Tensor& qkv, const AttentionMask& mask);

/// As Operations::attention_step of groups of one head, whether or not something was read before. Keeps keys in blocks, as
/// kernels::Kept. Throws as attention().
at::Tensor attention_step(const at::Tensor& qkv, const AttentionMask& mask,
                          const AttentionStep& step, std::vector<at::Tensor>& kept);

}  // namespace ablate::models::fused

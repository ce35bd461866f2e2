// Attention by visibility, by the kernels on the CPU.

#pragma once

#include "models/operations/operations.h"

namespace ablate::models::fused {

/// As Operations::attention. Throws std::logic_error where the mask names a position or a bound out
/// of range: the kernels would read another's memory.
at::Tensor attention(const at::Tensor& qkv, const AttentionMask& mask);

}  // namespace ablate::models::fused

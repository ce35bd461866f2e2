// Attention of bfloat16 activations with AVX512-BF16. As attention.h, which dispatches to it, with
// queries, keys, values and probabilities rounded to bfloat16 and all sums in float32.

#pragma once

#include "models/kernels/attention/attention.h"

namespace ablate::models::kernels {

/// As `attention`. Requires: InstructionSet::avx512_bfloat16.
void attention_bfloat16(AttentionShape shape, AttentionMask mask, const BFloat16* qkv,
                        BFloat16* out, AttentionSums sums);

/// As `attention_backward`. Requires: InstructionSet::avx512_bfloat16.
void attention_backward_bfloat16(AttentionShape shape, AttentionMask mask, const BFloat16* qkv,
                                 const BFloat16* out, AttentionSums sums,
                                 const BFloat16* out_gradient, BFloat16* qkv_gradient);

}  // namespace ablate::models::kernels

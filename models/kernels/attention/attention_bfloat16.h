// Attention of bfloat16 activations by AVX512-BF16: as in attention.h, with queries, keys, values
// and chances rounded to bfloat16 and all sums in float32. Chosen there.

#pragma once

#include "models/kernels/attention/attention.h"

namespace ablate::models::kernels {

/// Requires: InstructionSet::avx512_bfloat16.
void attention_by_pairs(AttentionShape shape, AttentionMask mask, const BFloat16* qkv,
                        BFloat16* out, AttentionSums sums);
void attention_backward_by_pairs(AttentionShape shape, AttentionMask mask, const BFloat16* qkv,
                                 const BFloat16* out, AttentionSums sums,
                                 const BFloat16* out_gradient, BFloat16* qkv_gradient);

}  // namespace ablate::models::kernels

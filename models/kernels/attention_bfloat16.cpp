// Attention on pairs of bfloat16, where the processor multiplies them.

#include "models/kernels/attention_bfloat16.h"

#define ABLATE_LOOPS "models/kernels/attention_backward_bfloat16.inc"
#include "models/kernels/bfloat16_level.h"

namespace ablate::kernels {

void attention_by_pairs(AttentionShape shape, AttentionSight sight, const BFloat16* qkv,
                        BFloat16* out, AttentionSums sums) {
  ABLATE_BY_PAIRS(attention(shape, sight, qkv, out, sums));
}

void attention_backward_by_pairs(AttentionShape shape, AttentionSight sight, const BFloat16* qkv,
                                 const BFloat16* out, AttentionSums sums,
                                 const BFloat16* out_gradient, BFloat16* qkv_gradient) {
  ABLATE_BY_PAIRS(attention_backward(shape, sight, qkv, out, sums, out_gradient, qkv_gradient));
}

}  // namespace ablate::kernels

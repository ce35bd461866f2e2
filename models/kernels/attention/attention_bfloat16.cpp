// Attention on pairs of bfloat16, where the processor multiplies them.

#include "models/kernels/attention/attention_bfloat16.h"

#define ABLATE_LOOPS "models/kernels/attention/attention_backward_bfloat16.inc"
#include "models/kernels/simd/bfloat16_instruction_set.h"

namespace ablate::models::kernels {

void attention_bfloat16(AttentionShape shape, AttentionMask mask, const BFloat16* qkv,
                        BFloat16* out, AttentionSums sums) {
  ABLATE_CALL_BFLOAT16(attention(shape, mask, qkv, out, sums));
}

void attention_backward_bfloat16(AttentionShape shape, AttentionMask mask, const BFloat16* qkv,
                                 const BFloat16* out, AttentionSums sums,
                                 const BFloat16* out_gradient, BFloat16* qkv_gradient) {
  ABLATE_CALL_BFLOAT16(attention_backward(shape, mask, qkv, out, sums, out_gradient, qkv_gradient));
}

}  // namespace ablate::models::kernels

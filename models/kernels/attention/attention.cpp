// Attention, for the instruction set at hand.

#include "models/kernels/attention/attention.h"

#include <type_traits>

#include "models/kernels/attention/attention_bfloat16.h"
#include "models/kernels/product/product.h"

#define ABLATE_LOOPS "models/kernels/attention/attention_backward.inc"
#include "models/kernels/simd/each_instruction_set.h"

namespace ablate::models::kernels {

template <class T>
void attention(AttentionShape shape, AttentionMask mask, const T* qkv, T* out, AttentionSums sums) {
  if constexpr (std::is_same_v<T, BFloat16>)
    if (instruction_set() == InstructionSet::avx512_bfloat16)
      return attention_bfloat16(shape, mask, qkv, out, sums);
  ABLATE_DISPATCH(attention(shape, mask, qkv, out, sums));
}

template <class T>
void attention_backward(AttentionShape shape, AttentionMask mask, const T* qkv, const T* out,
                        AttentionSums sums, const T* out_gradient, T* qkv_gradient) {
  if constexpr (std::is_same_v<T, BFloat16>)
    if (instruction_set() == InstructionSet::avx512_bfloat16)
      return attention_backward_bfloat16(shape, mask, qkv, out, sums, out_gradient, qkv_gradient);
  ABLATE_DISPATCH(attention_backward(shape, mask, qkv, out, sums, out_gradient, qkv_gradient));
}

#define ABLATE_INSTANTIATE(T)                                                          \
  template void attention(AttentionShape, AttentionMask, const T*, T*, AttentionSums); \
  template void attention_backward(AttentionShape, AttentionMask, const T*, const T*,  \
                                   AttentionSums, const T*, T*);
ABLATE_INSTANTIATE(float)
ABLATE_INSTANTIATE(BFloat16)
#undef ABLATE_INSTANTIATE

}  // namespace ablate::models::kernels

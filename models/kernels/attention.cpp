// Attention, for the instruction set at hand.

#include "models/kernels/attention.h"

#include <type_traits>

#include "models/kernels/attention_bfloat16.h"
#include "models/kernels/product.h"

#define ABLATE_LOOPS "models/kernels/attention_backward.inc"
#include "models/kernels/each_level.h"

namespace ablate::kernels {

template <class T>
void attention(AttentionShape shape, AttentionSight sight, const T* qkv, T* out,
               AttentionSums sums) {
  if constexpr (std::is_same_v<T, BFloat16>)
    if (level() == Level::avx512_bfloat16) return attention_by_pairs(shape, sight, qkv, out, sums);
  ABLATE_DISPATCH(attention(shape, sight, qkv, out, sums));
}

template <class T>
void attention_backward(AttentionShape shape, AttentionSight sight, const T* qkv, const T* out,
                        AttentionSums sums, const T* out_gradient, T* qkv_gradient) {
  if constexpr (std::is_same_v<T, BFloat16>)
    if (level() == Level::avx512_bfloat16)
      return attention_backward_by_pairs(shape, sight, qkv, out, sums, out_gradient, qkv_gradient);
  ABLATE_DISPATCH(attention_backward(shape, sight, qkv, out, sums, out_gradient, qkv_gradient));
}

#define ABLATE_INSTANTIATE(T)                                                           \
  template void attention(AttentionShape, AttentionSight, const T*, T*, AttentionSums); \
  template void attention_backward(AttentionShape, AttentionSight, const T*, const T*,  \
                                   AttentionSums, const T*, T*);
ABLATE_INSTANTIATE(float)
ABLATE_INSTANTIATE(BFloat16)
#undef ABLATE_INSTANTIATE

}  // namespace ablate::kernels

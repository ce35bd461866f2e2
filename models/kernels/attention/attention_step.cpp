// Attention to kept keys, for the instruction set at hand.

#include "models/kernels/attention/attention_step.h"

#include "models/kernels/product/product.h"

#define ABLATE_LOOPS "models/kernels/attention/attention_step.inc"
#include "models/kernels/simd/each_instruction_set.h"

namespace ablate::models::kernels {

template <class T>
void attention_step(AttentionShape shape, AttentionMask mask, const std::int64_t* places,
                    const T* qkv, Kept<T> kept, T* out) {
  ABLATE_DISPATCH(attention_step(shape, mask, places, qkv, kept, out));
}

template void attention_step(AttentionShape, AttentionMask, const std::int64_t*, const float*,
                             Kept<float>, float*);
template void attention_step(AttentionShape, AttentionMask, const std::int64_t*, const BFloat16*,
                             Kept<BFloat16>, BFloat16*);

}  // namespace ablate::models::kernels

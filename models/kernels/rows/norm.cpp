// Residual and norm, for the instruction set at hand.

#include "models/kernels/rows/norm.h"

#define ABLATE_LOOPS "models/kernels/rows/norm.inc"
#include "models/kernels/simd/each_instruction_set.h"

namespace ablate::models::kernels {

template <class D, class O>
void add_norm(NormShape shape, const float* residual, const D* delta, const float* gain, float* sum,
              O* normed, NormRows saved) {
  ABLATE_DISPATCH(add_norm(shape, residual, delta, gain, sum, normed, saved));
}

template <class D, class O>
void add_norm_backward(NormShape shape, const float* sum, const float* gain, NormRows saved,
                       NormGradients<D, O> gradients) {
  ABLATE_DISPATCH(add_norm_backward(shape, sum, gain, saved, gradients));
}

#define ABLATE_INSTANTIATE(D, O)                                                                 \
  template void add_norm(NormShape, const float*, const D*, const float*, float*, O*, NormRows); \
  template void add_norm_backward(NormShape, const float*, const float*, NormRows,               \
                                  NormGradients<D, O>);
ABLATE_INSTANTIATE(float, float)
ABLATE_INSTANTIATE(BFloat16, BFloat16)
ABLATE_INSTANTIATE(BFloat16, float)
#undef ABLATE_INSTANTIATE

}  // namespace ablate::models::kernels

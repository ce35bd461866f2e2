// The activations, for the instruction set at hand.

#include "models/kernels/rows/activation.h"

#define ABLATE_LOOPS "models/kernels/rows/activation.inc"
#include "models/kernels/simd/each_instruction_set.h"

namespace ablate::models::kernels {

template <class T>
void gelu(T* x, T* out, std::int64_t count) {
  ABLATE_DISPATCH(gelu(x, out, count));
}

template <class T>
void gelu_backward(const T* derivative, const T* gradient, T* out, std::int64_t count) {
  ABLATE_DISPATCH(multiply(derivative, gradient, out, count));
}

template <class T>
void swiglu(T* x, T* out, std::int64_t rows, std::int64_t units) {
  ABLATE_DISPATCH(swiglu(x, out, rows, units));
}

template <class T>
void swiglu_backward(const T* derivative, const T* gradient, T* out, std::int64_t rows,
                     std::int64_t units) {
  ABLATE_DISPATCH(swiglu_backward(derivative, gradient, out, rows, units));
}

#define ABLATE_INSTANTIATE(T)                                        \
  template void gelu(T*, T*, std::int64_t);                          \
  template void gelu_backward(const T*, const T*, T*, std::int64_t); \
  template void swiglu(T*, T*, std::int64_t, std::int64_t);          \
  template void swiglu_backward(const T*, const T*, T*, std::int64_t, std::int64_t);
ABLATE_INSTANTIATE(float)
ABLATE_INSTANTIATE(BFloat16)
#undef ABLATE_INSTANTIATE

}  // namespace ablate::models::kernels

// GELU and SwiGLU that leave their derivative where their input was, so that the way back is a
// product.

#pragma once

#include <cstdint>

#include "models/kernels/simd/simd.h"

namespace ablate::models::kernels {

/// out[i] = gelu(x[i]) and x[i] = gelu'(x[i]), with gelu(x) = x * Phi(x).
/// Source: Hendrycks & Gimpel 2016, arXiv 1606.08415.
template <class T>
void gelu(T* x, T* out, std::int64_t count);

/// out[i] = derivative[i] * gradient[i]: the gradient of the input that `gelu` was given.
template <class T>
void gelu_backward(const T* derivative, const T* gradient, T* out, std::int64_t count);

/// Rows of `x` are [gate, value], `units` each; out = silu(gate) * value, and x becomes the
/// derivatives by gate and by value. Source: Shazeer 2020, arXiv 2002.05202.
template <class T>
void swiglu(T* x, T* out, std::int64_t rows, std::int64_t units);

/// The same for `swiglu`: derivative and out [rows, 2 * units], gradient [rows, units].
template <class T>
void swiglu_backward(const T* derivative, const T* gradient, T* out, std::int64_t rows,
                     std::int64_t units);

}  // namespace ablate::models::kernels

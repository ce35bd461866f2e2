// GELU and SwiGLU that overwrite their input with their derivative, so that the backward pass is an
// elementwise product.

#pragma once

#include <cstdint>

#include "models/kernels/simd/simd.h"

namespace ablate::models::kernels {

/// Sets out[i] = gelu(x[i]), then x[i] = gelu'(x[i]), with gelu(x) = x * Phi(x).
/// Source: Hendrycks & Gimpel 2016, arXiv 1606.08415.
template <class T>
void gelu(T* x, T* out, std::int64_t count);

/// The backward pass of `gelu`: out[i] = derivative[i] * gradient[i].
template <class T>
void gelu_backward(const T* derivative, const T* gradient, T* out, std::int64_t count);

/// Sets out = silu(gate) * value for rows [gate, value] of `x` with `units` units each, and
/// replaces x with the derivatives with respect to gate and value. Source: Shazeer 2020, arXiv
/// 2002.05202.
template <class T>
void swiglu(T* x, T* out, std::int64_t rows, std::int64_t units);

/// The backward pass of `swiglu`: derivative and out [rows, 2 * units], gradient [rows, units].
template <class T>
void swiglu_backward(const T* derivative, const T* gradient, T* out, std::int64_t rows,
                     std::int64_t units);

}  // namespace ablate::models::kernels

// Residual addition and norm in one pass over memory.

#pragma once

#include <cstdint>

#include "models/kernels/simd/simd.h"

namespace ablate::models::kernels {

struct NormShape {
  std::int64_t rows, width;
  bool centred;   // LayerNorm (without bias); else RMSNorm
  float epsilon;  // added to the mean square
};

/// Statistics of each row that the backward pass needs.
struct NormRows {
  float* means;   // [rows]; 0 if not centred
  float* scales;  // [rows], 1 / sqrt(mean square + epsilon)
};

/// sum = residual + delta, normed = gain * (sum - mean) * scale. If `delta` is null, `sum` is not
/// written and the norm is that of `residual`. Sources: Ba et al. 2016, arXiv 1607.06450; Zhang &
/// Sennrich 2019, arXiv 1910.07467.
template <class D, class O>
void add_norm(NormShape shape, const float* residual, const D* delta, const float* gain, float* sum,
              O* normed, NormRows saved);

/// Input and output gradients of add_norm, [rows, width] unless stated otherwise.
template <class D, class O>
struct NormGradients {
  const O* normed;   // in
  const float* sum;  // in, or null: gradient of `sum` from later layers
  float* residual;   // out
  D* delta;          // out, or null: the values of `residual` in type D
  float* gain;       // accumulated, [width]
};

/// The backward pass of add_norm. `sum` is the input of the norm; `saved` comes from add_norm.
template <class D, class O>
void add_norm_backward(NormShape shape, const float* sum, const float* gain, NormRows saved,
                       NormGradients<D, O> gradients);

}  // namespace ablate::models::kernels

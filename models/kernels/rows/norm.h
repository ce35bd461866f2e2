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

/// What a norm's way back needs of each row.
struct NormRows {
  float* means;   // [rows]; 0 where not centred
  float* scales;  // [rows], one over the deviation
};

/// sum = residual + delta, normed = gain * (sum - mean) * scale. `delta` may be null: then `sum` is
/// not written, and the norm is of `residual`. Sources: Ba et al. 2016, arXiv 1607.06450; Zhang &
/// Sennrich 2019, arXiv 1910.07467.
template <class D, class O>
void add_norm(NormShape shape, const float* residual, const D* delta, const float* gain, float* sum,
              O* normed, NormRows saved);

/// Gradients that reach the norm and those that leave it.
template <class D, class O>
struct NormGradients {
  const O* normed;   // in, [rows, width]
  const float* sum;  // in, or null: that of the residual stream after this norm
  float* residual;   // out
  D* delta;          // out, or null: the same values in another type
  float* gain;       // added to, [width]
};

template <class D, class O>
void add_norm_backward(NormShape shape, const float* sum, const float* gain, NormRows saved,
                       NormGradients<D, O> gradients);

}  // namespace ablate::models::kernels

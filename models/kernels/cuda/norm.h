// Residual addition and norm of a bank on a device.

#pragma once

#include <cstdint>

#include "harness/train/cuda/stream.h"

namespace ablate::models::kernels {

/// The norm of all lanes: LayerNorm without bias, or RMSNorm.
struct DeviceNorm {
  std::int64_t lanes, rows, width;  // rows of one lane
  bool centred;                     // LayerNorm
  float epsilon;                    // added to the mean square
  const float* gain;                // [lane, width], contiguous in each lane
  std::int64_t gain_stride;         // from lane to lane
  float* means;                     // [lane, row]: kept for the backward pass; 0 if not centred
  float* scales;                    // [lane, row]: 1 / sqrt(mean square + epsilon)
};

/// sum = residual + delta, normed = gain * (sum - mean) * scale, all [lane, row, width]. Where
/// `delta` is null, `sum` is not written and the norm is that of `residual`. Sources: Ba et al.
/// 2016, arXiv 1607.06450; Zhang & Sennrich 2019, arXiv 1910.07467.
template <class D, class O>
void add_norm(const DeviceNorm& norm, const float* residual, const D* delta, float* sum, O* normed,
              train::DeviceQueue stream);

/// Parts of the sum over rows that is the gradient of the gain.
constexpr std::int64_t kGainParts = 32;

/// Gradients of add_norm, [lane, row, width] unless stated otherwise.
template <class D, class O>
struct DeviceNormGradients {
  const O* normed;    // in
  const float* sum;   // in, or null: gradient of `sum` from later layers
  float* residual;    // out
  D* delta;           // out, or null: the values of `residual` in type D
  float* gain_parts;  // out, [lane, kGainParts, width]: the gain's gradient is their sum
};

/// The backward pass of add_norm. `sum` is the input of the norm.
template <class D, class O>
void add_norm_backward(const DeviceNorm& norm, const float* sum,
                       const DeviceNormGradients<D, O>& gradients, train::DeviceQueue stream);

}  // namespace ablate::models::kernels

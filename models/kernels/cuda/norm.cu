// Residual addition and norm, a warp a row.

#include "models/kernels/cuda/norm.h"

#include "harness/train/cuda/launch.cuh"
#include "models/kernels/cuda/element.cuh"

namespace ablate::models::kernels {
namespace {

using train::kBlockThreads;
using train::kBlockWarps;
using train::kWarpThreads;
using train::over_warp;
using train::Sum;

// The row of this thread's warp, of all lanes' rows.
__device__ inline std::int64_t row_of_warp() {
  return std::int64_t{blockIdx.x} * kBlockWarps + threadIdx.x / kWarpThreads;
}

template <class D, class O>
__global__ void norm_row(DeviceNorm norm, const float* residual, const D* delta, float* sum,
                         O* normed) {
  const std::int64_t row = row_of_warp();
  if (row >= norm.lanes * norm.rows) return;  // the complete warp
  const int first = threadIdx.x % kWarpThreads;
  const std::int64_t width = norm.width;
  const float* x = residual + row * width;
  const float size = static_cast<float>(width);
  float total = 0;
  for (std::int64_t i = first; i < width; i += kWarpThreads) {
    float value = x[i];
    if (delta != nullptr) {
      value += value_of(delta[row * width + i]);
      sum[row * width + i] = value;
    }
    total += value;
  }
  if (delta != nullptr) x = sum + row * width;
  const float mean = norm.centred ? over_warp(total, Sum()) / size : 0;
  float squares = 0;
  for (std::int64_t i = first; i < width; i += kWarpThreads)
    squares += (x[i] - mean) * (x[i] - mean);
  const float scale = 1 / std::sqrt(over_warp(squares, Sum()) / size + norm.epsilon);
  const float* const gain = norm.gain + row / norm.rows * norm.gain_stride;
  for (std::int64_t i = first; i < width; i += kWarpThreads)
    store(normed[row * width + i], gain[i] * ((x[i] - mean) * scale));
  if (first != 0) return;
  norm.means[row] = mean;
  norm.scales[row] = scale;
}

template <class D, class O>
__global__ void norm_row_backward(DeviceNorm norm, const float* sum,
                                  DeviceNormGradients<D, O> gradients) {
  const std::int64_t row = row_of_warp();
  if (row >= norm.lanes * norm.rows) return;  // the complete warp
  const int first = threadIdx.x % kWarpThreads;
  const std::int64_t width = norm.width, at = row * width;
  const float mean = norm.means[row], scale = norm.scales[row];
  const float* const gain = norm.gain + row / norm.rows * norm.gain_stride;
  float total = 0, along = 0;  // of the gradient, and of the gradient times the unit row
  for (std::int64_t i = first; i < width; i += kWarpThreads) {
    const float own = value_of(gradients.normed[at + i]) * gain[i];
    total += own;
    along += own * ((sum[at + i] - mean) * scale);
  }
  const float size = static_cast<float>(width);
  const float shift = norm.centred ? over_warp(total, Sum()) / size : 0;
  const float slope = over_warp(along, Sum()) / size;
  for (std::int64_t i = first; i < width; i += kWarpThreads) {
    const float own = value_of(gradients.normed[at + i]) * gain[i];
    float value = scale * (own - shift - (sum[at + i] - mean) * scale * slope);
    if (gradients.sum != nullptr) value += gradients.sum[at + i];
    gradients.residual[at + i] = value;
    if (gradients.delta != nullptr) store(gradients.delta[at + i], value);
  }
}

// Block (columns, part, lane): threads of a warp take adjacent columns, warps take turns at rows.
template <class O>
__global__ void gain_gradient(DeviceNorm norm, const float* sum, const O* of_normed, float* parts) {
  __shared__ float sums[kBlockWarps][kWarpThreads];
  const int warp = threadIdx.x / kWarpThreads, own = threadIdx.x % kWarpThreads;
  const std::int64_t column = std::int64_t{blockIdx.x} * kWarpThreads + own, lane = blockIdx.z;
  float total = 0;
  if (column < norm.width)
    for (std::int64_t i = std::int64_t{blockIdx.y} * kBlockWarps + warp; i < norm.rows;
         i += kGainParts * kBlockWarps) {
      const std::int64_t row = lane * norm.rows + i, at = row * norm.width + column;
      total += value_of(of_normed[at]) * ((sum[at] - norm.means[row]) * norm.scales[row]);
    }
  sums[warp][own] = total;
  __syncthreads();
  if (warp != 0 || column >= norm.width) return;
  for (int other = 1; other < kBlockWarps; ++other) total += sums[other][own];
  parts[(lane * kGainParts + blockIdx.y) * norm.width + column] = total;
}

dim3 blocks_of_rows(const DeviceNorm& norm) {
  return {static_cast<unsigned>((norm.lanes * norm.rows + kBlockWarps - 1) / kBlockWarps)};
}

}  // namespace

template <class D, class O>
void add_norm(const DeviceNorm& norm, const float* residual, const D* delta, float* sum, O* normed,
              train::Stream stream) {
  train::launch("add_norm", norm_row<D, O>, blocks_of_rows(norm), stream, norm, residual, delta,
                sum, normed);
}

template <class D, class O>
void add_norm_backward(const DeviceNorm& norm, const float* sum,
                       const DeviceNormGradients<D, O>& gradients, train::Stream stream) {
  train::launch("add_norm_backward", norm_row_backward<D, O>, blocks_of_rows(norm), stream, norm,
                sum, gradients);
  const auto columns = static_cast<unsigned>((norm.width + kWarpThreads - 1) / kWarpThreads);
  train::launch("gain_gradient", gain_gradient<O>,
                {columns, static_cast<unsigned>(kGainParts), static_cast<unsigned>(norm.lanes)},
                stream, norm, sum, gradients.normed, gradients.gain_parts);
}

#define ABLATE_NORM(D, O)                                                                       \
  template void add_norm(const DeviceNorm&, const float*, const D*, float*, O*, train::Stream); \
  template void add_norm_backward(const DeviceNorm&, const float*,                              \
                                  const DeviceNormGradients<D, O>&, train::Stream)
ABLATE_NORM(float, float);
ABLATE_NORM(BFloat16, float);
ABLATE_NORM(BFloat16, BFloat16);
#undef ABLATE_NORM

}  // namespace ablate::models::kernels

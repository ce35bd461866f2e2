// Residual addition and norm. A warp, or a block where the row is wide, holds its row.

#include "models/kernels/cuda/norm.h"

#include <stdexcept>

#include "harness/train/cuda/launch.cuh"
#include "models/kernels/cuda/element.cuh"

namespace ablate::models::kernels {
namespace {

using train::kBlockWarps;
using train::kWarpThreads;
using train::Sum;

template <class Row, class D, class O>
__global__ void norm_row(DeviceNorm norm, const float* residual, const D* delta, float* sum,
                         O* normed) {
  const std::int64_t row = Row::Team::row();
  if (row >= norm.lanes * norm.rows) return;  // all threads of the row
  const auto width = static_cast<int>(norm.width);
  const std::int64_t at = row * width;
  const float* const gain = norm.gain + row / norm.rows * norm.gain_stride;
  float x[Row::kHeld], gains[Row::kHeld];
  Row::each(width, [&](int j, int i) {
    x[j] = residual[at + i];
    if (delta != nullptr) x[j] += value_of(delta[at + i]);
    gains[j] = gain[i];
  });
  if (delta != nullptr) Row::each(width, [&](int j, int i) { sum[at + i] = x[j]; });
  const float size = static_cast<float>(width);
  float mean = 0;
  if (norm.centred) {
    float total = 0;
    Row::each(width, [&](int j, int) { total += x[j]; });
    mean = Row::Team::over(total, Sum()) / size;
  }
  float squares = 0;
  Row::each(width, [&](int j, int) { squares += (x[j] - mean) * (x[j] - mean); });
  const float scale = 1 / std::sqrt(Row::Team::over(squares, Sum()) / size + norm.epsilon);
  Row::each(width,
            [&](int j, int i) { store(normed[at + i], gains[j] * ((x[j] - mean) * scale)); });
  if (Row::Team::own() != 0) return;
  norm.means[row] = mean;
  norm.scales[row] = scale;
}

template <class Row, class D, class O>
__global__ void norm_row_backward(DeviceNorm norm, const float* sum,
                                  DeviceNormGradients<D, O> gradients) {
  const std::int64_t row = Row::Team::row();
  if (row >= norm.lanes * norm.rows) return;  // all threads of the row
  const auto width = static_cast<int>(norm.width);
  const std::int64_t at = row * width;
  const float mean = norm.means[row], scale = norm.scales[row];
  const float* const gain = norm.gain + row / norm.rows * norm.gain_stride;
  float own[Row::kHeld], unit[Row::kHeld], later[Row::kHeld];
  Row::each(width, [&](int j, int i) {
    own[j] = value_of(gradients.normed[at + i]) * gain[i];
    unit[j] = (sum[at + i] - mean) * scale;
    later[j] = gradients.sum == nullptr ? 0 : gradients.sum[at + i];
  });
  float total = 0, along = 0;  // of the gradient, and of the gradient times the unit row
  Row::each(width, [&](int j, int) {
    total += own[j];
    along += own[j] * unit[j];
  });
  const float size = static_cast<float>(width);
  const float shift = norm.centred ? Row::Team::over(total, Sum()) / size : 0;
  const float slope = Row::Team::over(along, Sum()) / size;
  Row::each(width, [&](int j, int i) {
    const float value = scale * (own[j] - shift - unit[j] * slope) + later[j];
    gradients.residual[at + i] = value;
    if (gradients.delta != nullptr) store(gradients.delta[at + i], value);
  });
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

// Calls run(row), a HeldRow for the width.
template <class Run>
void by_width(std::int64_t width, const Run& run) {
  using train::Block;
  using train::HeldRow;
  using train::Warp;
  if (width <= HeldRow<Warp, 2>::kMost) return run(HeldRow<Warp, 2>());
  if (width <= HeldRow<Warp, 8>::kMost) return run(HeldRow<Warp, 8>());
  if (width <= HeldRow<Block, 8>::kMost) return run(HeldRow<Block, 8>());
  if (width <= HeldRow<Block, 64>::kMost) return run(HeldRow<Block, 64>());
  throw std::length_error("norm on a device: " + std::to_string(width) + " columns; at most " +
                          std::to_string(HeldRow<Block, 64>::kMost) + " can be had");
}

}  // namespace

template <class D, class O>
void add_norm(const DeviceNorm& norm, const float* residual, const D* delta, float* sum, O* normed,
              train::DeviceQueue stream) {
  by_width(norm.width, [&](auto row) {
    using Row = decltype(row);
    train::launch("add_norm", norm_row<Row, D, O>, Row::grid(norm.lanes * norm.rows), stream, norm,
                  residual, delta, sum, normed);
  });
}

template <class D, class O>
void add_norm_backward(const DeviceNorm& norm, const float* sum,
                       const DeviceNormGradients<D, O>& gradients, train::DeviceQueue stream) {
  by_width(norm.width, [&](auto row) {
    using Row = decltype(row);
    train::launch("add_norm_backward", norm_row_backward<Row, D, O>,
                  Row::grid(norm.lanes * norm.rows), stream, norm, sum, gradients);
  });
  const auto columns = static_cast<unsigned>((norm.width + kWarpThreads - 1) / kWarpThreads);
  train::launch("gain_gradient", gain_gradient<O>,
                {columns, static_cast<unsigned>(kGainParts), static_cast<unsigned>(norm.lanes)},
                stream, norm, sum, gradients.normed, gradients.gain_parts);
}

#define ABLATE_NORM(D, O)                                                       \
  template void add_norm(const DeviceNorm&, const float*, const D*, float*, O*, \
                         train::DeviceQueue);                                   \
  template void add_norm_backward(const DeviceNorm&, const float*,              \
                                  const DeviceNormGradients<D, O>&, train::DeviceQueue)
ABLATE_NORM(float, float);
ABLATE_NORM(BFloat16, float);
ABLATE_NORM(BFloat16, BFloat16);
#undef ABLATE_NORM

}  // namespace ablate::models::kernels

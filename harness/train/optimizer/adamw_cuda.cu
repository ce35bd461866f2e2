// Updates a bank on a device.

#include "harness/train/optimizer/adamw_cuda.h"

#include <cstdint>

#include "harness/train/cuda/launch.cuh"
#include "harness/train/optimizer/factors.h"

namespace ablate::train {
namespace {

// Block (part, lane) sums the squares of one part of a lane.
__global__ void sum_squares(AdamWBank bank) {
  const float* const gradient = bank.gradient + blockIdx.y * bank.lane_size;
  float sum = 0;
  for (std::int64_t i = std::int64_t{blockIdx.x} * kBlockThreads + threadIdx.x; i < bank.lane_size;
       i += std::int64_t{gridDim.x} * kBlockThreads)
    sum += gradient[i] * gradient[i];
  const double total = over_block(static_cast<double>(sum), Sum());
  if (threadIdx.x == 0) bank.parts[std::int64_t{blockIdx.y} * gridDim.x + blockIdx.x] = total;
}

// Elements a thread updates: several, so that the sum over the parts costs little.
constexpr int kElements = 8;

// Every block of a lane adds up the lane's `parts`, and then updates its share of the elements.
__global__ void update(AdamWBank bank, std::int64_t parts) {
  const std::int64_t lane = blockIdx.y;
  // All that this thread reads is under way at once: a write in between would make it wait.
  float values[kElements], gradients[kElements], means[kElements], squares[kElements];
  const std::int64_t begin = std::int64_t{blockIdx.x} * kElements * kBlockThreads + threadIdx.x,
                     first = lane * bank.lane_size;
  const auto each = [&](auto visit) {
    ABLATE_UNROLL
    for (int j = 0; j < kElements; ++j)
      if (const std::int64_t i = begin + j * kBlockThreads; i < bank.lane_size)
        visit(j, i, first + i);
  };
  each([&](int j, std::int64_t, std::int64_t at) {
    values[j] = bank.values[at];
    gradients[j] = bank.gradient[at];
    means[j] = bank.mean[at];
    squares[j] = bank.square[at];
  });
  double sum = 0;
  for (std::int64_t i = threadIdx.x; i < parts; i += kBlockThreads)
    sum += bank.parts[lane * parts + i];
  const double norm = std::sqrt(over_block(sum, Sum()));
  if (blockIdx.x == 0 && threadIdx.x == 0) bank.norms[lane] = norm;
  const auto factor = [&](Row row) { return bank.table[row * bank.lanes + lane]; };
  const bool alive = factor(updated) > 0 && norm <= 3.4e38;  // neither infinite nor NaN
  const float largest = factor(clip);
  const float scale = largest > 0 && norm > largest ? static_cast<float>(largest / norm) : 1.0f;
  const float fresh_mean = factor(fresh1), fresh_square = factor(fresh2), keep = factor(kept),
              epsilon = factor(to_epsilon), root = factor(to_root);
  each([&](int j, std::int64_t i, std::int64_t at) {
    bank.gradient[at] = 0;
    if (!alive) return;
    const float gradient = gradients[j] * scale;
    const float mean = means[j] + fresh_mean * (gradient - means[j]);
    const float square = squares[j] + fresh_square * (gradient * gradient - squares[j]);
    bank.mean[at] = mean;
    bank.square[at] = square;
    const float value = i < bank.decayed_size ? keep * values[j] : values[j];
    bank.values[at] = value + mean / (root * std::sqrt(square) + epsilon);
  });
}

}  // namespace

void update_on_device(const AdamWBank& bank, DeviceQueue stream) {
  const auto lanes = static_cast<unsigned>(bank.lanes);
  const std::int64_t parts = norm_parts(bank.lane_size);
  launch("sum_squares", sum_squares, {static_cast<unsigned>(parts), lanes}, stream, bank);
  constexpr std::int64_t kShare = kElements * kBlockThreads;
  const auto blocks = static_cast<unsigned>((bank.lane_size + kShare - 1) / kShare);
  launch("update", update, {blocks, lanes}, stream, bank, parts);
}

}  // namespace ablate::train

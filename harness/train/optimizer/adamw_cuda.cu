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

// Every block of a lane adds up the lane's `parts`, and then updates its share of the elements.
__global__ void update(AdamWBank bank, std::int64_t parts) {
  const std::int64_t lane = blockIdx.y;
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
  const std::int64_t first = lane * bank.lane_size;
  for (std::int64_t i = std::int64_t{blockIdx.x} * kBlockThreads + threadIdx.x; i < bank.lane_size;
       i += std::int64_t{gridDim.x} * kBlockThreads) {
    const std::int64_t at = first + i;
    const float gradient = bank.gradient[at] * scale;
    bank.gradient[at] = 0;
    if (!alive) continue;
    const float mean = bank.mean[at] + fresh_mean * (gradient - bank.mean[at]);
    const float square = bank.square[at] + fresh_square * (gradient * gradient - bank.square[at]);
    bank.mean[at] = mean;
    bank.square[at] = square;
    const float value = i < bank.decayed_size ? keep * bank.values[at] : bank.values[at];
    bank.values[at] = value + mean / (root * std::sqrt(square) + epsilon);
  }
}

}  // namespace

void update_on_device(const AdamWBank& bank, Stream stream) {
  const auto lanes = static_cast<unsigned>(bank.lanes);
  const std::int64_t parts = norm_parts(bank.lane_size);
  launch("sum_squares", sum_squares, {static_cast<unsigned>(parts), lanes}, stream, bank);
  // Several elements a thread, so that the sum over the parts costs little.
  constexpr std::int64_t kElements = 8 * kBlockThreads;
  const auto blocks = static_cast<unsigned>((bank.lane_size + kElements - 1) / kElements);
  launch("update", update, {blocks, lanes}, stream, bank, parts);
}

}  // namespace ablate::train

// AdamW's update in two kernels: the norms of all lanes' gradients, then one pass over parameters,
// moments and gradient.

#pragma once

#include <algorithm>
#include <cstdint>

#include "harness/train/cuda/stream.h"

namespace ablate::train {

/// The memory of a bank's update, on the device; see update_by_table().
struct AdamWBank {
  std::int64_t lanes, lane_size, decayed_size;
  float *values, *gradient, *mean, *square;  // [lane, lane_size]
  const float* table;                        // [kFactorRows, lane]
  double* parts;                             // [lane, norm_parts(lane_size)], overwritten
  double* norms;                             // [lane], written: of the gradient before clipping
};

/// Into how many parts the sum of a lane's squares is split: the order of summation depends on the
/// lane's size alone.
constexpr std::int64_t norm_parts(std::int64_t lane_size) {
  constexpr std::int64_t kElements = 1 << 12, kMost = 256;
  return std::min((lane_size + kElements - 1) / kElements, kMost);
}

/// Updates values and moments, and sets the gradient to 0. Reads 20 bytes an element and writes 16.
/// Throws std::runtime_error where the device refuses the launch.
void update_on_device(const AdamWBank& bank, DeviceQueue stream);

}  // namespace ablate::train

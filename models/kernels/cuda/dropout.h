// Dropout on a device, which draws its own random numbers.

#pragma once

#include <cstdint>

#include "harness/train/cuda/stream.h"

namespace ablate::models::kernels {

/// One dropout of a bank.
struct DeviceDropout {
  std::int64_t lanes, units;  // units of one lane
  std::int64_t row;           // units of one row of a lane
  double dropped;             // fraction of the units
  std::int64_t layer;         // index of the dropout in the network
  const std::int64_t* keys;   // [2 + lane], on the device: see train::Inputs::keys
};

/// Writes `x` with some units set to 0 and the others divided by the kept fraction to `out`; both
/// are [lane, unit]. The units are those that models::drop() drops on the CPU.
template <class T>
void drop(const DeviceDropout& dropout, const T* x, T* out, train::DeviceQueue stream);

}  // namespace ablate::models::kernels

// Losses and gradient norms of steps, buffered on the device.

#pragma once

#include <ATen/core/Tensor.h>

#include <string>

namespace ablate::train {

/// Losses and gradient norms of steps that the host has not read yet, so that it need not wait for
/// the device after every step. On the CPU each step is read at once.
class Readings {
 public:
  /// `capacity`: the number of steps between two readings, at least 1.
  Readings(std::int64_t heads, std::int64_t lanes, std::int64_t capacity,
           const std::string& device);

  /// Stores a step's losses, [head, lane], and norms, [lane], without waiting for the device.
  /// Requires: not full.
  void add(const at::Tensor& losses, const at::Tensor& norms);

  /// The number of steps stored.
  std::int64_t count() const { return count_; }

  /// Whether the buffer is full and must be read before the next step.
  bool full() const { return count_ == kept_.size(0); }

  /// Returns what was added since the last call, in order: float64 [count, heads + 1, lane], the
  /// losses of the heads and then the norms, on the CPU, valid until the next add(). Waits for the
  /// device.
  at::Tensor take();

 private:
  at::Tensor kept_;  // float64 [capacity, heads + 1, lane], on the device
  std::int64_t count_ = 0;
};

}  // namespace ablate::train

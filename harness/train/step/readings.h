// What steps make known, kept on the device until it is worth waiting for.

#pragma once

#include <ATen/core/Tensor.h>

#include <string>

namespace ablate::train {

/// Losses and gradient norms of steps that the host has not read. On the CPU there is nothing to
/// wait for, and each step is read as it is made.
class Readings {
 public:
  /// `capacity`: steps between two readings, at least 1.
  Readings(std::int64_t heads, std::int64_t lanes, std::int64_t capacity,
           const std::string& device);

  /// Keeps a step's losses, [head, lane], and norms, [lane]. Waits for nothing. Requires: not full.
  void add(const at::Tensor& losses, const at::Tensor& norms);

  std::int64_t count() const { return count_; }
  bool full() const { return count_ == kept_.size(0); }

  /// All that was added since the last call, in order: float64 [count, heads + 1, lane], losses
  /// first, on the CPU, good until the next add(). Waits for the device.
  at::Tensor take();

 private:
  at::Tensor kept_;  // float64 [capacity, heads + 1, lane], on the device
  std::int64_t count_ = 0;
};

}  // namespace ablate::train

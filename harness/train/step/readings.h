// What steps came to, buffered on the device.

#pragma once

#include <ATen/core/Tensor.h>

#include <string>

#include "harness/train/step/bank_step.h"

namespace ablate::train {

/// Losses, gradient norms and facts of steps that the host has not read yet, so that it need not wait for
/// the device after every step. On the CPU each step is read at once.
class Readings {
 public:
  /// `facts`: rows of StepResult::facts; `capacity`: the number of steps between two readings, at
  /// least 1.
  Readings(std::int64_t heads, std::int64_t facts, std::int64_t lanes, std::int64_t capacity,
           const std::string& device);

  /// Stores a step's losses, norms and facts without waiting for the device. Requires: not full.
  void add(const StepResult& made);

  /// The number of steps stored.
  std::int64_t count() const { return count_; }

  /// Whether the buffer is full and must be read before the next step.
  bool full() const { return count_ == kept_.size(0); }

  /// Returns what was added since the last call, in order: float64 [count, heads + 1 + facts, lane],
  /// the losses of the heads, then the norms, then the facts, on the CPU, valid until the next add().
  /// Waits for the device.
  at::Tensor take();

 private:
  std::int64_t heads_;
  at::Tensor kept_;  // float64 [capacity, heads + 1 + facts, lane], on the device
  std::int64_t count_ = 0;
};

}  // namespace ablate::train

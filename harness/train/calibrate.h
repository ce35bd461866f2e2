// Measures the time and memory that a training step of a bank takes on a device.

#pragma once

#include <functional>
#include <memory>
#include <string>

#include "harness/data/batches/layout.h"
#include "harness/run/job/lane_choice.h"
#include "harness/train/network/network.h"

namespace ablate::train {

/// The bank to measure. Every lane reads the same batches.
struct BankSubject {
  std::function<std::unique_ptr<Network>(std::int64_t lanes)> build;  // a bank of that many lanes
  std::function<data::Batch(std::int64_t step)> batch;                // the batch of each lane
  std::size_t heads = 1;                                              // of the network
  double dropout = 0;
  TrainingLoss loss = {};
  std::int64_t micro_batch = 0;  // as in StepSettings
  std::string device;
};

/// Trains a bank of `lanes` lanes for a few steps, as the trainer would, and discards it. Returns
/// the seconds per step and the peak memory in bytes. The time is measured after the steps are
/// recorded; it includes packing the batches on the host, but not drawing them.
run::LanePoint measure_bank(const BankSubject& subject, std::size_t lanes);

}  // namespace ablate::train

// What a bank of so many lanes costs a device: time and memory of its steps.

#pragma once

#include <functional>
#include <memory>
#include <string>

#include "harness/data/batches/layout.h"
#include "harness/run/lanes/lane_choice.h"
#include "harness/train/network/network.h"

namespace ablate::train {

/// The bank to be measured: every lane reads the same batches.
struct BankSubject {
  std::function<std::unique_ptr<Network>(std::int64_t lanes)> build;
  std::function<data::Batch(std::int64_t step)> batch;
  std::vector<HeadNeed> heads = {HeadNeed{}};
  double dropout = 0;
  std::string device;
};

/// Trains a bank of `lanes` lanes for a few steps as the trainer would and throws it away. The time
/// is that of steps once they are recorded, packing of their batches on the host among it, drawing
/// them not.
run::LanePoint measure_bank(const BankSubject& subject, std::size_t lanes);

}  // namespace ablate::train

// One update of a bank: by the processor, or queued on a device that works by itself.

#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "harness/data/batches/layout.h"
#include "harness/train/network/network.h"
#include "harness/train/optimizer/adamw.h"

namespace ablate::train {

/// What a step is to do.
struct StepOrder {
  std::int64_t step = 0;  // updates made before
  std::span<const data::Batch> lanes;
  std::vector<float> shares;  // [head, lane]: factor of a total's gradient; 0 leaves it out
  std::vector<double> rates;  // learning rate of each lane, as AdamW::step
};

/// What a step makes known: on the device, overwritten by the next one.
struct StepResult {
  at::Tensor losses;  // total cost of each head's and lane's targets, [head, lane]
  at::Tensor norms;   // of each lane's gradient before clipping, float64 [lane]
  double model = 0;   // seconds of this thread in forward and backward
  double update = 0;  // and in the update; measured apart on the processor alone
};

/// Forward, backward and update, each lane by its own factors and learning rate.
class BankStep {
 public:
  virtual ~BankStep() = default;

  /// Makes one update. Throws std::logic_error where the lanes' batches differ in shape.
  virtual StepResult run(const StepOrder& order) = 0;

  /// Why steps are not recorded, once recording has failed; else empty.
  virtual std::string failure() const { return {}; }
};

/// What all steps of a bank share. Requires: network and optimizer outlive the step.
struct StepSettings {
  Network& network;
  std::vector<HeadNeed> heads;  // of the trials' objectives: alike in all lanes
  AdamW& optimizer;
  std::string device;
  double dropout = 0;
  std::vector<std::uint64_t> seeds;  // by lane
};

}  // namespace ablate::train

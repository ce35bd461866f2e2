// One update of a bank: here on the processor, or told to a device that works by itself.

#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "harness/data/batches/layout.h"
#include "harness/train/network/network.h"
#include "harness/train/optimizer/adamw.h"
#include "harness/train/step/repeated.h"

namespace ablate::train {

/// What a step is to do.
struct StepOrder {
  std::int64_t step = 0;  // updates made before
  std::span<const data::Batch> lanes;
  std::vector<float> shares;  // [head, lane]: what a total's gradient is multiplied by; 0: none
  std::vector<double> rates;  // as AdamW::step
};

/// What a step makes known: on the device, overwritten by the next one.
struct StepResult {
  at::Tensor losses;  // total cost of each head's and lane's targets, [head, lane]
  at::Tensor norms;   // of each lane's gradient before clipping, float64 [lane]
  double model = 0;   // seconds of this thread in forward and backward
  double update = 0;  // and in the update; told apart on the processor alone
};

/// Forward, backward and update, each lane by its own share and rate.
class BankStep {
 public:
  virtual ~BankStep() = default;
  virtual StepResult run(const StepOrder& order) = 0;

  /// Why steps are not recorded, once that has failed.
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

/// Each operation is done when it returns.
std::unique_ptr<BankStep> host_step(StepSettings settings);

/// Nothing waits for the device. What a step reads is packed on the host while the device works on
/// the steps before: in pinned memory, which LibTorch gives back for later steps once the copy is
/// over, so that there are as many buffers as steps on their way. It is copied to the same place
/// each time, so that the step can be recorded; it is recorded anew when its shape changes. With
/// dropout nothing is recorded: masks are drawn on the host by seed, step and unit, and a recording
/// would repeat the first ones. `recorder`: null where nothing can be recorded.
std::unique_ptr<BankStep> device_step(StepSettings settings, std::unique_ptr<Recorder> recorder);

}  // namespace ablate::train

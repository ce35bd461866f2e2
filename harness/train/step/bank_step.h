// One update of a bank: on the CPU, or queued on a device.

#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "harness/data/batches/layout.h"
#include "harness/data/batches/rows_of.h"
#include "harness/train/network/network.h"
#include "harness/train/optimizer/adamw.h"
#include "harness/train/ranks/ranks.h"

namespace ablate::train {

/// The inputs of one step.
struct StepOrder {
  std::int64_t step = 0;               // the number of earlier updates
  std::span<const data::Batch> lanes;  // each lane's batch
  std::vector<float> gradient_scales;  // [head, lane]: factor of a total loss's gradient
  std::vector<double> learning_rates;  // by lane, as for AdamW::step
  bool stop = false;                   // this rank is asked to stop after the step
};

/// The results of one step. The tensors are on the device, and the next step overwrites them.
struct StepResult {
  at::Tensor losses;    // total loss of each head's and lane's targets in nats, [head, lane]
  at::Tensor facts;     // as Totals::facts
  at::Tensor norms;     // of each lane's gradient before clipping, float64 [lane]
  bool stop = false;    // the first rank was asked to stop, when the step began
  double model = 0;     // seconds of this thread in forward and backward
  double update = 0;    // seconds of this thread in the update; counted in `model` on a device
  double exchange = 0;  // seconds of this thread with the other ranks, waiting for them included
};

/// Makes updates: gradients (forward and backward, of one part of the rows after the other), then the
/// optimizer, with a gradient scale and learning rate by lane.
class BankStep {
 public:
  virtual ~BankStep() = default;

  /// Makes one update, or queues it on the device. Throws std::logic_error where the lanes' batches
  /// differ in shape.
  virtual StepResult run(const StepOrder& order) = 0;

  /// Why recording the step has failed; empty where it has not.
  virtual std::string failure() const { return {}; }
};

/// What all steps of a bank have in common. Requires: network and optimizer outlive the step.
struct StepSettings {
  Network& network;
  std::size_t heads = 1;  // of the network
  AdamW& optimizer;
  std::string device;
  double dropout = 0;
  std::vector<std::uint64_t> seeds;  // by lane
  std::int64_t micro_batch = 0;      // rows whose gradients are computed at once; 0: all of a step
  std::int64_t facts = 0;            // rows of StepResult::facts
  Ranks* ranks = nullptr;  // that share the rows of a step; null: this process has them all
  TrainingLoss loss = {};

  /// The rows of a step that this rank computes.
  data::RowRange own_rows(std::int64_t rows) const {
    return ranks == nullptr ? data::RowRange{0, rows}
                            : data::part_of_rows(rows, ranks->rank(), ranks->size());
  }
};

}  // namespace ablate::train

// The trainer of small models that are made to measure others: without journal, checkpoints or budget.

#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "harness/data/batches/layout.h"
#include "harness/train/network/flat.h"
#include "harness/train/network/network.h"
#include "harness/train/optimizer/adamw.h"
#include "harness/train/optimizer/schedule.h"

namespace ablate::train {

/// What one lane is trained with.
struct SmallRecipe {
  Schedule schedule;  // over the steps
  AdamWSettings optimizer = {};
};

/// Trains the lanes of a bank for a number of steps. Which batches they read and how their losses are
/// computed is the caller's; a lane's result does not depend on the other lanes.
class SmallTrainer {
 public:
  /// `parameters`: what is trained, [lane, ...]: the network's and any that stand on it. They become
  /// views of one buffer, see FlatParameters. Requires: they and the network outlive the trainer.
  SmallTrainer(Network& network, std::vector<Parameter>& parameters);

  /// The losses of the step with this number, counted from 0: a tensor of any shape, differentiable.
  /// The gradient is that of its sum, so a lane's losses have to add up to its mean loss, in nats.
  using Losses = std::function<at::Tensor(std::int64_t step)>;

  /// Makes `steps` updates by AdamW, with gradients enabled. `lanes`: one recipe a lane. Calls
  /// `progress` with the fraction of steps made after each step.
  void train(const std::vector<SmallRecipe>& lanes, std::int64_t steps, const Losses& losses,
             const std::function<void(double fraction)>& progress);

 private:
  Network& network_;
  FlatParameters parameters_;
};

/// The total loss of each lane's targets of the first head, in nats: float32 [lane]; differentiable.
at::Tensor total_losses(Network& network, std::span<const data::Batch> lanes,
                        const std::string& device);

/// total_losses() over the weight of each lane's targets: nats per unit of weight, float32 [lane];
/// differentiable. Requires: every lane has a target.
at::Tensor mean_losses(Network& network, std::span<const data::Batch> lanes,
                       const std::string& device);

}  // namespace ablate::train

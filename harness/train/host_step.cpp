// A step on the processor.

#include <ATen/ops/empty.h>

#include <algorithm>

#include "harness/train/bank_step.h"
#include "harness/train/feed.h"
#include "harness/train/stopwatch.h"

namespace ablate {
namespace {

class HostStep final : public BankStep {
 public:
  explicit HostStep(StepSettings settings) : settings_(std::move(settings)) {}

  StepResult run(const StepOrder& order) override {
    Stopwatch watch;
    StepResult result;
    result.losses = forward_and_backward(order);
    result.model = watch.lap();
    result.norms = settings_.optimizer.step(order.step, order.rates);
    settings_.network.parameters_changed();
    result.update = watch.lap();
    return result;
  }

 private:
  Inputs inputs(const StepOrder& order) const {
    Inputs inputs = to_inputs(order.lanes, settings_.device);
    inputs.dropout = settings_.dropout;
    inputs.seeds = settings_.seeds;
    inputs.step = order.step;
    return inputs;
  }

  /// Each lane's total loss, float32 [lane]; leaves the gradients.
  at::Tensor forward_and_backward(const StepOrder& order) const {
    Network& network = settings_.network;
    const at::Tensor hidden = network.hidden(inputs(order));  // [lane, batch, time, width]
    const at::Tensor totals = network.losses(hidden, to_targets(order.lanes, 0, settings_.device));
    const at::Tensor shares = at::empty({network.lanes()}, at::kFloat);
    std::copy(order.shares.begin(), order.shares.end(), shares.data_ptr<float>());
    totals.backward(shares);
    return totals.detach();
  }

  const StepSettings settings_;
};

}  // namespace

std::unique_ptr<BankStep> host_step(StepSettings settings) {
  return std::make_unique<HostStep>(std::move(settings));
}

}  // namespace ablate

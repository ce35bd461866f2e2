// A training step on the CPU.

#include "harness/train/step/host_step.h"

#include <ATen/ops/empty.h>

#include <algorithm>

#include "harness/base/time/stopwatch.h"
#include "harness/train/step/feed.h"

namespace ablate::train {
namespace {

class HostStep final : public BankStep {
 public:
  explicit HostStep(StepSettings settings) : settings_(std::move(settings)) {}

  StepResult run(const StepOrder& order) override {
    Stopwatch watch;
    StepResult result;
    result.losses = forward_and_backward(order);
    result.model = watch.lap();
    result.norms = settings_.optimizer.step(order.step, order.learning_rates);
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

  /// Returns each head's and lane's total loss, float32 [head, lane]; sets the gradients.
  at::Tensor forward_and_backward(const StepOrder& order) const {
    std::vector<HeadTargets> targets;
    for (std::size_t head = 0; head < settings_.heads; ++head)
      targets.push_back(to_targets(order.lanes, head, settings_.device));
    const at::Tensor scales = at::empty(
        {static_cast<std::int64_t>(targets.size()), settings_.network.lanes()}, at::kFloat);
    std::copy(order.gradient_scales.begin(), order.gradient_scales.end(), scales.data_ptr<float>());
    return settings_.network.accumulate(inputs(order), targets, scales);
  }

  const StepSettings settings_;
};

}  // namespace

std::unique_ptr<BankStep> host_step(StepSettings settings) {
  return std::make_unique<HostStep>(std::move(settings));
}

}  // namespace ablate::train

// A training step on the CPU.

#include "harness/train/step/host_step.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/empty.h>

#include <algorithm>

#include "harness/base/time/stopwatch.h"
#include "harness/train/step/across_ranks.h"
#include "harness/train/step/feed.h"
#include "harness/train/step/micro_batches.h"

namespace ablate::train {
namespace {

class HostStep final : public BankStep {
 public:
  explicit HostStep(StepSettings settings) : settings_(std::move(settings)) {}

  StepResult run(const StepOrder& order) override {
    Stopwatch watch;
    StepResult result;
    Totals totals = gradients(order);
    result.model = watch.lap();
    if (settings_.ranks != nullptr) {
      result.stop = add_across(*settings_.ranks, settings_.optimizer.gradient(), settings_.facts,
                               totals, order.stop);
      result.exchange = watch.lap();
    }
    result.losses = std::move(totals.losses);
    result.facts = std::move(totals.facts);
    result.norms = settings_.optimizer.step(order.step, order.learning_rates);
    settings_.network.parameters_changed();
    result.update = watch.lap();
    return result;
  }

 private:
  /// Returns the totals of all parts of the step; sets the gradients.
  Totals gradients(const StepOrder& order) const {
    const at::Tensor scales = at::empty(
        {static_cast<std::int64_t>(settings_.heads), settings_.network.lanes()}, at::kFloat);
    std::copy(order.gradient_scales.begin(), order.gradient_scales.end(), scales.data_ptr<float>());
    Totals totals;
    each_micro_batch(order.lanes, settings_.own_rows(order.lanes[0].rows), settings_.micro_batch,
                     [&](std::span<const data::Batch> lanes, std::int64_t first) {
                       const Totals part = accumulate(lanes, order.step, first, scales);
                       add(part.losses, totals.losses);
                       add(part.facts, totals.facts);
                     });
    return totals;
  }

  static void add(const at::Tensor& part, at::Tensor& sum) {
    if (part.defined()) sum = sum.defined() ? sum + part : part;
  }

  Totals accumulate(std::span<const data::Batch> lanes, std::int64_t step, std::int64_t first,
                    const at::Tensor& scales) const {
    Inputs inputs = to_inputs(lanes, settings_.device);
    inputs.dropout = settings_.dropout;
    inputs.seeds = settings_.seeds;
    inputs.step = step;
    inputs.first_row = first;
    std::vector<HeadTargets> targets;
    for (std::size_t head = 0; head < settings_.heads; ++head) {
      targets.push_back(to_targets(lanes, head, settings_.device));
      for (LaneTargets& lane : targets.back()) lane.loss = settings_.loss;
    }
    return settings_.network.accumulate(inputs, targets, scales);
  }

  const StepSettings settings_;
};

}  // namespace

std::unique_ptr<BankStep> host_step(StepSettings settings) {
  return std::make_unique<HostStep>(std::move(settings));
}

}  // namespace ablate::train

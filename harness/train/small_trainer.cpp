#include "harness/train/small_trainer.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/tensor.h>
#include <c10/core/GradMode.h>

#include "harness/base/time/time_spent.h"
#include "harness/train/step/feed.h"

namespace ablate::train {

SmallTrainer::SmallTrainer(Network& network, std::vector<Parameter>& parameters)
    : network_(network), parameters_(parameters) {
  network_.parameters_changed();
}

void SmallTrainer::train(const std::vector<SmallRecipe>& lanes, std::int64_t steps,
                         const Losses& losses,
                         const std::function<void(double fraction)>& progress) {
  const Spending fits(Activity::fits);
  const c10::AutoGradMode gradients(true);
  std::vector<AdamWSettings> settings;
  settings.reserve(lanes.size());
  for (const SmallRecipe& lane : lanes) settings.push_back(lane.optimizer);
  AdamW optimizer(parameters_, std::move(settings));
  std::vector<double> rates(lanes.size());
  for (std::int64_t step = 0; step < steps; ++step) {
    const double middle = (static_cast<double>(step) + 0.5) / static_cast<double>(steps);
    for (std::size_t lane = 0; lane < lanes.size(); ++lane)
      rates[lane] = lanes[lane].schedule.learning_rate(middle);
    losses(step).sum().backward();  // lanes share no parameter
    optimizer.step(step, rates);
    network_.parameters_changed();
    progress(static_cast<double>(step + 1) / static_cast<double>(steps));
  }
}

at::Tensor total_losses(Network& network, std::span<const data::Batch> lanes,
                        const std::string& device) {
  return network.losses(network.hidden(to_inputs(lanes, device)), to_targets(lanes, 0, device));
}

at::Tensor mean_losses(Network& network, std::span<const data::Batch> lanes,
                       const std::string& device) {
  std::vector<float> scales;
  scales.reserve(lanes.size());
  for (const data::Batch& lane : lanes)
    scales.push_back(static_cast<float>(1 / lane.scored.front().weight()));
  const at::Tensor totals = total_losses(network, lanes, device);
  return totals * at::tensor(scales).to(totals.device());
}

}  // namespace ablate::train

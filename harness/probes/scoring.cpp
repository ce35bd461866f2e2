// Computes the costs of scored targets from a network's logits.

#include "harness/probes/scoring.h"

#include <ATen/core/Tensor.h>

#include <algorithm>

#include "harness/train/step/feed.h"

namespace ablate::probes {
namespace {

constexpr std::int64_t kSlice = 1024;  // targets whose logits are in memory at once

void add_scores(const train::TargetCosts& found, TargetScores& scores) {
  const at::Tensor costs = found.nats.cpu().contiguous(), right = found.right.cpu().contiguous();
  const double* const cost = costs.data_ptr<double>();
  const bool* const hit = right.data_ptr<bool>();
  scores.costs.insert(scores.costs.end(), cost, cost + costs.numel());
  scores.right.insert(scores.right.end(), hit, hit + right.numel());
}

/// The hidden states of the heads of the batch, each [1, batch, time, width], up to the last one that
/// it scores.
std::vector<at::Tensor> states_of(train::Network& network, const data::Batch& batch,
                                  const train::Inputs& inputs) {
  std::size_t heads = batch.scored.size();
  while (heads > 1 && !batch.scored[heads - 1].need.scored) --heads;
  if (heads == 1) return {network.hidden(inputs)};
  train::HeadStreams streams;
  std::vector<at::Tensor> states;
  for (std::size_t head = 0; head < heads; ++head)
    states.push_back(network.head_hidden(head, inputs, streams));
  return states;
}

}  // namespace

std::vector<TargetScores> score_targets(train::Network& network, const data::Batch& batch,
                                        const std::string& device) {
  std::vector<TargetScores> all(batch.scored.size());
  const std::vector<at::Tensor> states =
      states_of(network, batch, train::to_inputs({&batch, 1}, device));
  for (std::size_t head = 0; head < all.size(); ++head) {
    const train::LaneTargets lane = train::to_targets({&batch, 1}, head, device).front();
    const std::int64_t count = lane.positions.size(0);
    const bool coupled = batch.scored[head].need.traits.couples_rows;
    const std::int64_t at_once = coupled ? std::max<std::int64_t>(1, count) : kSlice;
    for (std::int64_t first = 0; first < count; first += at_once) {
      const auto slice = [&](const at::Tensor& all_targets) {
        return all_targets.narrow(0, first, std::min(at_once, count - first));
      };
      add_scores(network.costs(head, states[head], 0,
                               {slice(lane.positions), slice(lane.targets), slice(lane.weights)}),
                 all[head]);
    }
  }
  return all;
}

}  // namespace ablate::probes

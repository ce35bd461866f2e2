// Computes the costs of scored targets from a network's logits.

#include "harness/probes/scoring.h"

#include <ATen/core/Tensor.h>

#include <algorithm>

#include "harness/train/step/feed.h"

namespace ablate::probes {
namespace {

constexpr std::int64_t kSlice = 1024;  // targets whose logits are in memory at once

void add_scores(const at::Tensor& logits, const at::Tensor& targets, TargetScores& scores) {
  const at::Tensor logs = logits.to(at::kDouble).log_softmax(-1);  // [slice, vocab]
  const at::Tensor costs = logs.gather(1, targets.unsqueeze(1)).squeeze(1).neg().cpu().contiguous();
  const at::Tensor right = logs.argmax(-1).eq(targets).cpu().contiguous();  // [slice]
  const double* const cost = costs.data_ptr<double>();
  const bool* const hit = right.data_ptr<bool>();
  scores.costs.insert(scores.costs.end(), cost, cost + costs.numel());
  scores.right.insert(scores.right.end(), hit, hit + right.numel());
}

/// The hidden states of every head of the batch, each [1, batch, time, width].
std::vector<at::Tensor> states_of(train::Network& network, const data::Batch& batch,
                                  const train::Inputs& inputs) {
  if (batch.scored.size() == 1) return {network.hidden(inputs)};
  const at::Tensor trunk = network.trunk(inputs);
  at::Tensor from = trunk;
  std::vector<at::Tensor> states;
  for (std::size_t head = 0; head < batch.scored.size(); ++head) {
    const train::HeadState state = network.state(head, network.chained() ? from : trunk, inputs);
    from = state.stream;
    states.push_back(state.hidden);
  }
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
    const bool pair = batch.scored[head].need.head == Head::pair;
    const std::int64_t count = lane.positions.size(0);
    for (std::int64_t first = 0; first < count; first += kSlice) {
      const std::int64_t size = std::min(kSlice, count - first);
      const at::Tensor positions = lane.positions.narrow(0, first, size);
      add_scores(pair ? network.pair_logits(states[head], 0, positions.unsqueeze(0)).select(0, 0)
                      : network.logits(states[head], 0, positions),
                 lane.targets.narrow(0, first, size), all[head]);
    }
  }
  return all;
}

}  // namespace ablate::probes

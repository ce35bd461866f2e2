// Computes the costs of scored targets from a network's logits.

#include "harness/probes/scoring.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>

#include <algorithm>

#include "harness/train/step/feed.h"

namespace ablate::probes {
namespace {

constexpr std::int64_t kSlice = 1024;  // targets whose logits are in memory at once
constexpr std::int64_t kScoring = -1;  // in place of a step: no step of training has these samples

void add_scores(const train::TargetCosts& found, const at::Tensor& targets, TargetScores& scores) {
  const at::Tensor costs = found.nats.cpu().contiguous(), right = found.right.cpu().contiguous();
  const at::Tensor scored = targets.cpu().contiguous();
  const double* const cost = costs.data_ptr<double>();
  const bool* const hit = right.data_ptr<bool>();
  scores.costs.insert(scores.costs.end(), cost, cost + costs.numel());
  scores.right.insert(scores.right.end(), hit, hit + right.numel());
  const std::int64_t* const target = scored.data_ptr<std::int64_t>();
  for (std::int64_t i = 0; i < scored.numel(); ++i)
    scores.targets.push_back(static_cast<Token>(target[i]));
}

/// A batch as its heads read it.
struct Read {
  train::Inputs masked;  // as it was laid out
  train::Filled filled;  // the same where no head fills masks
};

Read read_by(train::Network& network, const data::Batch& batch, const std::string& device,
             const ScoringKey& key) {
  Read read{train::to_inputs({&batch, 1}, device), {}};
  read.masked.seeds = {key.seed};
  read.masked.step = kScoring;
  read.masked.first_row = key.first_row;
  std::vector<train::HeadTargets> targets;
  for (std::size_t head = 0; head < batch.scored.size(); ++head)
    targets.push_back(train::to_targets({&batch, 1}, head, device));
  read.filled = network.filled(read.masked, targets);
  // The head that fills is scored on what it read.
  for (std::size_t head = 0; head < targets.size(); ++head)
    if (batch.scored[head].need.traits.fills) read.filled.targets[head] = targets[head];
  return read;
}

/// What a head is scored on: hidden states, and targets whose positions count in them.
struct Scored {
  at::Tensor hidden;  // [1, batch, time, width]
  train::LaneTargets targets;
};

/// Of a single head only the states of its targets, [1, 1, scored, width].
Scored scored_alone(train::Network& network, const train::Inputs& inputs,
                    train::LaneTargets targets) {
  const at::Tensor all = targets.positions;
  targets.positions = at::arange(all.numel(), all.options());
  return {network.hidden_at(inputs, all), std::move(targets)};
}

/// By head of the batch, up to the last one that it scores.
std::vector<Scored> scored_by_head(train::Network& network, const data::Batch& batch,
                                   const Read& read) {
  const auto& needs = batch.scored;
  std::size_t heads = needs.size();
  while (heads > 1 && !needs[heads - 1].need.scored) --heads;
  const auto targets = [&](std::size_t head) { return read.filled.targets[head].front(); };
  // Targets of a head that couples rows name other places beside their own.
  if (heads == 1 && !needs.front().need.traits.couples_rows)
    return {scored_alone(network, read.filled.inputs, targets(0))};
  if (heads == 1) return {{network.hidden(read.filled.inputs), targets(0)}};
  train::HeadStreams streams, none;
  std::vector<Scored> scored;
  for (std::size_t head = 0; head < heads; ++head)
    scored.push_back({needs[head].need.traits.fills
                          ? network.head_hidden(head, read.masked, none)
                          : network.head_hidden(head, read.filled.inputs, streams),
                      targets(head)});
  return scored;
}

}  // namespace

std::vector<TargetScores> score_targets(train::Network& network, const data::Batch& batch,
                                        const std::string& device, const ScoringKey& key) {
  std::vector<TargetScores> all(batch.scored.size());
  const Read read = read_by(network, batch, device, key);
  const std::vector<Scored> scored = scored_by_head(network, batch, read);
  for (std::size_t head = 0; head < scored.size(); ++head) {
    const train::LaneTargets& lane = scored[head].targets;
    const std::int64_t count = lane.positions.size(0);
    const bool coupled = batch.scored[head].need.traits.couples_rows;
    const std::int64_t labels = batch.scored[head].need.traits.labels;  // of a place stay together
    const std::int64_t at_once =
        coupled ? std::max<std::int64_t>(1, count) : kSlice / labels * labels;
    for (std::int64_t first = 0; first < count; first += at_once) {
      const auto slice = [&](const at::Tensor& all_targets) {
        return all_targets.defined()
                   ? all_targets.narrow(0, first, std::min(at_once, count - first))
                   : all_targets;
      };
      const train::LaneTargets some = {slice(lane.positions), slice(lane.targets),
                                       slice(lane.weights), slice(lane.shown)};
      add_scores(network.costs(head, scored[head].hidden, 0, some), some.targets, all[head]);
    }
  }
  return all;
}

}  // namespace ablate::probes

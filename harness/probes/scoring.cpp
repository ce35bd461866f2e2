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

void add_scores(const train::TargetCosts& found, TargetScores& scores) {
  const at::Tensor costs = found.nats.cpu().contiguous(), right = found.right.cpu().contiguous();
  const double* const cost = costs.data_ptr<double>();
  const bool* const hit = right.data_ptr<bool>();
  scores.costs.insert(scores.costs.end(), cost, cost + costs.numel());
  scores.right.insert(scores.right.end(), hit, hit + right.numel());
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

/// The hidden states of the heads of the batch, each [1, batch, time, width], up to the last one that
/// it scores. Of a single head only those of its targets, [1, 1, scored, width], whose positions are
/// counted anew; targets of a head that couples rows name other places, too, so it has all.
std::vector<at::Tensor> states_of(train::Network& network, const data::Batch& batch, Read& read) {
  std::size_t heads = batch.scored.size();
  while (heads > 1 && !batch.scored[heads - 1].need.scored) --heads;
  if (heads == 1 && batch.scored.front().need.traits.couples_rows)
    return {network.hidden(read.filled.inputs)};
  if (heads == 1) {
    at::Tensor& positions = read.filled.targets.front().front().positions;
    const at::Tensor all = positions;
    positions = at::arange(all.numel(), all.options());
    return {network.hidden_at(read.filled.inputs, all)};
  }
  train::HeadStreams streams, none;
  std::vector<at::Tensor> states;
  for (std::size_t head = 0; head < heads; ++head) {
    const bool fills = batch.scored[head].need.traits.fills;
    states.push_back(fills ? network.head_hidden(head, read.masked, none)
                           : network.head_hidden(head, read.filled.inputs, streams));
  }
  return states;
}

}  // namespace

std::vector<TargetScores> score_targets(train::Network& network, const data::Batch& batch,
                                        const std::string& device, const ScoringKey& key) {
  std::vector<TargetScores> all(batch.scored.size());
  Read read = read_by(network, batch, device, key);
  const std::vector<at::Tensor> states = states_of(network, batch, read);
  for (std::size_t head = 0; head < all.size(); ++head) {
    const train::LaneTargets& lane = read.filled.targets[head].front();
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

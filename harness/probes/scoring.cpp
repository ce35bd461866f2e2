// Costs of scored targets from a network's logits.

#include "harness/probes/scoring.h"

#include <ATen/core/Tensor.h>

#include <algorithm>

#include "harness/train/feed.h"

namespace ablate {
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

}  // namespace

const Scored& token_targets(const Batch& batch) {
  static const Scored nothing;
  return batch.scored.empty() ? nothing : batch.scored.front();
}

TargetScores score_targets(Network& network, const Batch& batch, const std::string& device) {
  TargetScores scores;
  if (token_targets(batch).at.empty()) return scores;
  const at::Tensor hidden = network.hidden(to_inputs({&batch, 1}, device));
  const LaneTargets lane = to_targets({&batch, 1}, 0, device).front();
  const std::int64_t count = lane.at.size(0);
  for (std::int64_t first = 0; first < count; first += kSlice) {
    const std::int64_t size = std::min(kSlice, count - first);
    add_scores(network.logits(hidden, 0, lane.at.narrow(0, first, size)),
               lane.targets.narrow(0, first, size), scores);
  }
  return scores;
}

}  // namespace ablate

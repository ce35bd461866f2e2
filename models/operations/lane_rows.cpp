// Chosen rows of each lane of a bank.

#include "models/operations/lane_rows.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>

namespace ablate::models {

at::Tensor flat_positions(const at::Tensor& positions, std::int64_t rows) {
  const at::Tensor first = at::arange(positions.size(0), positions.options()).mul(rows);
  return (positions + first.unsqueeze(-1)).flatten();
}

// Not by gather(), whose gradient waits for a CUDA device where algorithms are deterministic.
at::Tensor lane_rows(const at::Tensor& table, const at::Tensor& positions) {
  return table.flatten(0, 1)
      .index_select(0, flat_positions(positions, table.size(1)))
      .view({positions.size(0), positions.size(1), table.size(2)});
}

BankTargets stacked(const std::vector<train::LaneTargets>& lanes) {
  std::vector<at::Tensor> positions, ids, weights, shown;
  for (const train::LaneTargets& lane : lanes) {
    positions.push_back(lane.positions);
    ids.push_back(lane.targets);
    weights.push_back(lane.weights);
    if (lane.shown.defined()) shown.push_back(lane.shown);
  }
  return {at::stack(positions), at::stack(ids), at::stack(weights),
          shown.empty() ? at::Tensor() : at::stack(shown)};
}

at::Tensor losses_by_lane(bool on_cpu, const train::HeadTargets& targets,
                          const LossesOfLanes& losses) {
  const auto lanes = std::ssize(targets);
  const std::int64_t together = on_cpu ? 1 : lanes;
  std::vector<at::Tensor> all;
  for (std::int64_t first = 0; first < lanes; first += together) {
    const auto begin = targets.begin() + first;
    all.push_back(losses(first, stacked({begin, begin + together})));
  }
  return at::cat(all);
}

}  // namespace ablate::models

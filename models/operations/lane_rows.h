// Chosen rows of each lane of a bank.

#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <vector>

#include "harness/train/network/network.h"

namespace ablate::models {

/// `positions` [lane, count] in lanes of `rows` rows, as positions in all lanes' rows one after the
/// other: [lane * count].
at::Tensor flat_positions(const at::Tensor& positions, std::int64_t rows);

/// The rows of `table` [lane, rows, width] at `positions` [lane, count]: [lane, count, width].
at::Tensor lane_rows(const at::Tensor& table, const at::Tensor& positions);

/// The targets of all lanes, [lane, scored] each; `shown` is undefined unless the head reads it.
struct BankTargets {
  at::Tensor positions, ids, weights, shown;
};

/// Requires: every lane has as many targets.
BankTargets stacked(const std::vector<train::LaneTargets>& lanes);

/// The losses of some lanes, [lanes], given the number of the first one and their targets.
using LossesOfLanes = std::function<at::Tensor(std::int64_t first, const BankTargets& targets)>;

/// The losses of all lanes, [lane]: on the CPU lane by lane, so that a lane's bits do not depend on the
/// others, nor have its targets to be as many as theirs.
at::Tensor losses_by_lane(bool on_cpu, const train::HeadTargets& targets,
                          const LossesOfLanes& losses);

}  // namespace ablate::models

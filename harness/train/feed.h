// From batches to tensors: the lanes of a bank side by side.

#pragma once

#include <span>
#include <vector>

#include "harness/data/layout.h"
#include "harness/train/network.h"

namespace ablate {

/// The batches of all lanes as one input, on the device. Requires: equal rows and time, lanes in
/// order.
Inputs to_inputs(std::span<const Batch> lanes, const std::string& device);

/// What each lane's head predicts. On the CPU each lane has its own count; elsewhere all are filled
/// up to the longest with targets of weight 0, so that lanes can be batched.
std::vector<LaneTargets> to_targets(std::span<const Batch> lanes, Head head,
                                    const std::string& device);

}  // namespace ablate

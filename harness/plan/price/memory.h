// Estimates what a bank holds in the memory of a GPU.

#pragma once

#include "harness/contract/backbone.h"
#include "harness/plan/price/price.h"

namespace ablate::plan {

/// The memory of a lane on a GPU with this price, in float32 or bfloat16, where gradients of this
/// fraction of a step are computed at once. Requires: a backbone that knows its memory.
LaneMemory lane_memory(const Price& price, double at_once, std::int64_t vocabulary,
                       const MemoryCount& count, bool bfloat16);

/// What LibTorch holds on a GPU for a bank of `lanes` such lanes, in bytes.
double bank_bytes(const LaneMemory& memory, std::size_t lanes);

}  // namespace ablate::plan

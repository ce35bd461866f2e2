// Converts the targets of a bank's lanes to tensors.

#pragma once

#include <span>
#include <string>
#include <vector>

#include "harness/data/batches/layout.h"
#include "harness/train/network/network.h"

namespace ablate::train {

/// The targets of head number `head` of each lane. On the CPU each lane has its own count; on other
/// devices all are padded to the largest with targets of weight 0, so that lanes can be batched.
std::vector<LaneTargets> to_targets(std::span<const data::Batch> lanes, std::size_t head,
                                    const std::string& device);

/// The targets of one head, of all lanes, on the host.
struct PackedTargets {
  at::Tensor targets;  // int64 [2 or 3, lane, scored]: positions, then tokens, then of a head that
                       // reads them the tokens shown there
  at::Tensor weights;  // float32 [lane, scored]
};

/// Packs the targets of head number `head` of all lanes, padded to `scored` with targets of weight 0.
/// `pinned`: in page-locked memory. Throws std::logic_error where a lane has more.
PackedTargets pack_targets(std::span<const data::Batch> lanes, std::size_t head,
                           std::int64_t scored, bool pinned);

/// The targets of one lane among those of a head, without copying.
LaneTargets lane_targets(const PackedTargets& head, std::int64_t lane);

/// The largest number of targets that a lane has for head number `head`.
std::int64_t max_scored(std::span<const data::Batch> lanes, std::size_t head);

/// The most targets that a lane can have for it, if each place of its rows has all of its labels.
std::int64_t most_scored(const data::Batch& lane, std::size_t head);

/// The number of targets to pad a lane to, such that a device's step seldom changes its shape:
/// `current` where that is at least `needed`; otherwise a round number about an eighth above
/// `needed`, limited to `most` where that is enough.
std::int64_t scored_capacity(std::int64_t needed, std::int64_t current, std::int64_t most);

}  // namespace ablate::train

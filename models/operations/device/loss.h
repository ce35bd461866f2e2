// Losses on a device.

#pragma once

#include "models/operations/operations.h"

namespace ablate::models::device {

/// As Operations::losses, for lanes with equally many targets. The logits exist for a part of the
/// targets at a time, at most `part_bytes` of them or one target of each lane, and their gradient
/// takes their place: so neither grows with the batch.
at::Tensor losses(const at::Tensor& hidden, const OutputHead& head,
                  const std::vector<train::LaneTargets>& targets, std::int64_t part_bytes);

}  // namespace ablate::models::device

// Embeddings and losses, using the CPU kernels.

#pragma once

#include "models/operations/operations.h"

namespace ablate::models::fused {

/// As Operations::embed. Throws std::logic_error for an id outside the table.
at::Tensor embed(const at::Tensor& table, const at::Tensor& ids);

/// As Operations::losses. Throws std::logic_error for targets that are not contiguous or that
/// contain a position or an id out of range.
at::Tensor losses(const at::Tensor& hidden, const OutputHead& head,
                  const std::vector<train::LaneTargets>& targets);

}  // namespace ablate::models::fused

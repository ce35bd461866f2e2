// Embeddings and the cost of predictions, by the kernels on the CPU: rows of a table at either end
// of a model.

#pragma once

#include "models/operations/operations.h"

namespace ablate::models::fused {

/// As Operations::embed. Throws std::logic_error for an id that the table lacks.
at::Tensor embed(const at::Tensor& table, const at::Tensor& ids);

/// As Operations::losses. Throws std::logic_error for targets that are not contiguous, or that name
/// a position or an id out of range.
at::Tensor losses(const at::Tensor& hidden, const OutputHead& head,
                  const std::vector<train::LaneTargets>& targets);

}  // namespace ablate::models::fused

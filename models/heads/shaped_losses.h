// Losses of tokens as training shapes them, in plain ATen.

#pragma once

#include "models/operations/operations.h"

namespace ablate::models {

/// As Operations::losses, of targets whose `loss` is not plain. The values are those of the plain
/// loss, and the gradient is that of the shaped one: a curve shows how well tokens are predicted,
/// whatever is minimised. Requires: the targets of all lanes have one `loss`.
at::Tensor shaped_losses(const at::Tensor& hidden, const OutputHead& head,
                         const train::HeadTargets& targets);

}  // namespace ablate::models

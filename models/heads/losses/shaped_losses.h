// Losses of tokens as training shapes them, for every device and precision.

#pragma once

#include "models/operations/operations.h"

namespace ablate::models {

/// As Operations::losses, of targets whose `loss` is not plain. The values are the plain losses, and
/// the gradient is that of the shaped ones: a curve shows how well tokens are predicted, whatever is
/// minimised. Logits exist for a part of the targets at a time. Requires: the targets of all lanes have one `loss`.
at::Tensor shaped_losses(const at::Tensor& hidden, const OutputHead& head,
                         const train::HeadTargets& targets);

}  // namespace ablate::models

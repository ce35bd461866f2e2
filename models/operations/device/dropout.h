// Dropout on a device.

#pragma once

#include "models/operations/dropout.h"

namespace ablate::models::device {

/// As models::drop, with the step and the seeds read from `key.keys`, so that a recorded step
/// repeats with other masks.
at::Tensor drop(const at::Tensor& x, const DropoutKey& key);

}  // namespace ablate::models::device

// The fused operations: CPU kernels with custom autograd functions.

#pragma once

#include <memory>

#include "models/operations/operations.h"

namespace ablate::models {

/// Makes the fused operations. Each is a custom autograd function that calls models/kernels, for
/// float32 and bfloat16 on the CPU.
std::unique_ptr<Operations> fused_operations();

}  // namespace ablate::models

// The fused operations as one family.

#pragma once

#include <memory>

#include "models/operations/operations.h"

namespace ablate::models {

/// One custom autograd function each, over the kernels of models/kernels: for float32 and bfloat16
/// on the CPU.
std::unique_ptr<Operations> fused_operations();

}  // namespace ablate::models

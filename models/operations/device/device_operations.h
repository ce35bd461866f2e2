// The operations for CUDA devices: our own kernels where they save memory traffic, and LibTorch's
// elsewhere.

#pragma once

#include <cstdint>
#include <memory>

#include "models/operations/operations.h"

namespace ablate::models {

/// Makes the operations for a device. `part_bytes`: the most memory that logits take at a time.
/// Without CUDA our kernels run on the processor, slowly, for tests.
std::unique_ptr<Operations> device_operations(std::int64_t part_bytes = 256 << 20);

}  // namespace ablate::models

// The operations in plain ATen and autograd.

#pragma once

#include <memory>

#include "models/operations/operations.h"

namespace ablate::models {

/// Makes plain operations. `batched`: compute products of all lanes in one call, for a GPU;
/// otherwise one call per lane, so that a lane's result does not depend on the others.
/// `library_attention`: use LibTorch's fused attention if this version has it, see
/// models/operations/attention.h.
std::unique_ptr<Operations> plain_operations(bool batched, bool library_attention = false);

}  // namespace ablate::models

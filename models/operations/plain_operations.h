// The operations in ATen and autograd alone.

#pragma once

#include <memory>

#include "models/operations/operations.h"

namespace ablate::models {

/// `batched`: products over all lanes in one call, for a GPU; otherwise one call for each lane, so
/// that a lane's result does not depend on its neighbours. `library_attention`: attention by the
/// library's own fused operation where this LibTorch has one, see models/operations/attention.h.
std::unique_ptr<Operations> plain_operations(bool batched, bool library_attention = false);

}  // namespace ablate::models

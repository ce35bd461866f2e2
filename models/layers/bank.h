// The state that all layers of a bank share.

#pragma once

#include <memory>

#include "models/layers/parameters.h"
#include "models/operations/operations.h"

namespace ablate::models {

/// Operations and parameters of a network under construction, and the types that it computes in.
struct Bank {
  /// A bank without parameters. Throws std::invalid_argument for fewer than 1 lane, and for a
  /// precision that the processor does not support.
  explicit Bank(const train::NetworkSettings& settings);

  std::int64_t lanes;
  at::Device device;
  at::ScalarType type;  // of products and activations
  std::unique_ptr<const Operations> operations;
  Parameters parameters;
};

}  // namespace ablate::models

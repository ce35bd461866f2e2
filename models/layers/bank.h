// What all layers of a bank compute with.

#pragma once

#include <memory>

#include "models/layers/parameters.h"
#include "models/operations/operations.h"

namespace ablate::models {

/// Operations and parameters of a network under construction, and the types that it computes in.
struct Bank {
  /// Without parameters as yet. Throws std::invalid_argument for no lanes, and for a precision that
  /// the processor lacks.
  explicit Bank(const train::NetworkSettings& settings);

  std::int64_t lanes;
  at::Device device;
  at::ScalarType type;  // of products and activations
  std::unique_ptr<const Operations> operations;
  Parameters parameters;
};

}  // namespace ablate::models

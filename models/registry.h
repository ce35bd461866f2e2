// Builds backbones by name.

#pragma once

#include <memory>
#include <string_view>

#include "harness/train/network/network.h"

namespace ablate::models {

/// The builder of a backbone. Throws std::invalid_argument for a name that `backbone_specs` lacks.
const train::NetworkBuilder& network_builder(std::string_view name);

/// A network whose parameters are not yet initialised. Throws as network_builder does, and as the
/// builder does for a model or a precision that cannot be.
std::unique_ptr<train::Network> build_network(std::string_view name,
                                              const train::NetworkSettings& settings);

}  // namespace ablate::models

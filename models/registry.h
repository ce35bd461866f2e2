// Builds backbones by name.

#pragma once

#include <memory>
#include <string_view>

#include "harness/train/network/network.h"

namespace ablate::models {

/// The builder of a backbone. Throws std::invalid_argument for a name that is not in
/// backbone_specs().
const train::NetworkBuilder& network_builder(std::string_view name);

/// Builds a network with uninitialised parameters. Throws as network_builder and as the builder,
/// for invalid model parameters and for a precision that the processor does not support.
std::unique_ptr<train::Network> build_network(std::string_view name,
                                              const train::NetworkSettings& settings);

}  // namespace ablate::models

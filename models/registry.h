// Builds backbones by name.

#pragma once

#include <memory>
#include <string_view>

#include "harness/train/network.h"

namespace ablate {

/// The builder of a backbone. Throws std::invalid_argument for a name that `backbone_specs` lacks.
const NetworkBuilder& network_builder(std::string_view name);

/// A network whose parameters are not yet initialised.
std::unique_ptr<Network> build_network(std::string_view name, const NetworkSettings& settings);

}  // namespace ablate

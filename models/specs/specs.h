// The specs of all backbones, for planning.

#pragma once

#include <span>

#include "harness/contract/backbone.h"

namespace ablate::models {

/// The specs of every backbone, in alphabetical order. They do not depend on LibTorch.
std::span<const BackboneSpec> backbone_specs();

}  // namespace ablate::models

// What planning needs of every backbone.

#pragma once

#include <span>

#include "harness/contract/backbone.h"

namespace ablate::models {

/// Every backbone, in alphabetical order: what planning needs of it, without LibTorch.
std::span<const BackboneSpec> backbone_specs();

}  // namespace ablate::models

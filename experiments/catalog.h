// The catalogue of everything that experiment files can name.

#pragma once

#include "harness/contract/catalog.h"

namespace ablate {

/// All objectives, backbones and probes of this build.
const Catalog& catalog();

}  // namespace ablate

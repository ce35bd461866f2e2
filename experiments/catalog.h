// What experiment files can name, composed here from the families.

#pragma once

#include "harness/contract/catalog.h"

namespace ablate {

/// All objectives, backbones and probes of this build.
const Catalog& catalog();

}  // namespace ablate

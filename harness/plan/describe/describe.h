// Describes everything that experiment files can name, as JSON.

#pragma once

#include <string>

#include "harness/contract/catalog.h"

namespace ablate::plan {

/// {"objectives": [...], "backbones": [...], "probes": [...], "metrics": [...], "corpora": [...],
/// "train": [...], "phases": [...]}, or only the family or the member with this name. Empty `name`:
/// everything. Throws std::invalid_argument with the closest name if nothing has this name.
Json describe(const Catalog& catalog, const std::string& name);

}  // namespace ablate::plan

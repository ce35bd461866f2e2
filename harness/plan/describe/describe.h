// Describes everything that experiment files can name, from the rows that also check the files.

#pragma once

#include <span>
#include <string>
#include <string_view>

#include "harness/contract/catalog.h"

namespace ablate::plan {

/// {"objectives": [...], "backbones": [...], "probes": [...], "metrics": [...], "corpora": [...],
/// "train": [...], "phases": [...]}, or only the family or the member with this name. Empty `name`:
/// everything. Throws std::invalid_argument with the closest name if nothing has this name.
Json describe(const Catalog& catalog, const std::string& name);

/// The names of the families, in the order in which they are printed.
std::span<const std::string_view> described_families();

}  // namespace ablate::plan

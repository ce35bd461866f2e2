// What experiment files can name, told from the same rows that check them.

#pragma once

#include <string>

#include "harness/contract/catalog.h"

namespace ablate {

/// {"objectives": [...], "backbones": [...], "probes": [...], "metrics": [...], "corpora": [...],
/// "train": [...]}; `name` chooses one family, or one member, which is then the answer alone.
/// Throws std::invalid_argument with the nearest name for one that is nothing.
Json describe(const Catalog& catalog, const std::string& name);

/// The same for people.
std::string description(const Catalog& catalog, const std::string& name);

}  // namespace ablate

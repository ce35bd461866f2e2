// What experiment files can name, told from the same rows that check them.

#pragma once

#include <span>
#include <string>
#include <string_view>

#include "harness/contract/catalog.h"

namespace ablate::plan {

/// {"objectives": [...], "backbones": [...], "probes": [...], "metrics": [...], "corpora": [...],
/// "train": [...], "phases": [...]}; `name` chooses one family, or one member, which is then the
/// answer alone. Throws std::invalid_argument with the nearest name for one that is nothing.
Json describe(const Catalog& catalog, const std::string& name);

/// The families in the order in which people read of them.
std::span<const std::string_view> described_families();

}  // namespace ablate::plan

// The text that `ablate describe` prints.

#pragma once

#include <string>

#include "harness/contract/catalog.h"

namespace ablate::plan {

/// The answer of describe(), laid out for a terminal. Throws std::invalid_argument with the closest
/// name if nothing has this name.
std::string description(const Catalog& catalog, const std::string& name);

}  // namespace ablate::plan

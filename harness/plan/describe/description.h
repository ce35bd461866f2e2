// What experiment files can name, for people.

#pragma once

#include <string>

#include "harness/contract/catalog.h"

namespace ablate::plan {

/// What `describe` tells, laid out for a terminal. Throws std::invalid_argument with the nearest
/// name for one that is nothing.
std::string description(const Catalog& catalog, const std::string& name);

}  // namespace ablate::plan

// Whether trials can be trained by several processes.

#pragma once

#include <cstddef>

#include "harness/contract/catalog.h"
#include "harness/plan/trial/plan.h"

namespace ablate::run {

/// The largest number of ranks that all of the plan's trials can have.
std::size_t most_ranks(const plan::Plan& plan, const Catalog& catalog);

/// Throws std::invalid_argument, naming arm and remedy, where one of the plan's trials cannot be trained by so
/// many ranks: its batches have fewer rows, or their losses depend on each other.
void check_ranks(const plan::Plan& plan, const Catalog& catalog, std::size_t ranks);

}  // namespace ablate::run

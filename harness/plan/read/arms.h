// Turns the entries of "arms" into arms in which every setting is known and in range.

#pragma once

#include "harness/plan/read/experiment.h"

namespace ablate::plan {

/// Expands and resolves all entries. `seeds`: trials per arm; `maximum`: accepted number of trials.
/// Adds everything that is refused to `faults`.
std::vector<ResolvedArm> read_arms(const Catalog& catalog, const Sources& sources,
                                   std::size_t seeds, std::int64_t maximum, Faults& faults);

/// Resolves the sections of one arm: the defaults of the file, changed by its assignments. Returns
/// false after adding to `faults` if anything is refused.
bool resolve_arm(const Catalog& catalog, const Sources& sources, ResolvedArm& arm, Faults& faults);

}  // namespace ablate::plan

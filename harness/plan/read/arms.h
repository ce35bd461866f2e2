// From the entries of "arms" to arms whose every setting is known and in range.

#pragma once

#include "harness/plan/read/experiment.h"

namespace ablate::plan {

/// Expands and resolves all entries. `most`: trials accepted, of `seeds` each.
std::vector<ResolvedArm> read_arms(const Catalog& catalog, const Sources& sources,
                                   std::size_t seeds, std::int64_t maximum, Faults& faults);

/// Resolves the sections of one arm: defaults of the file, then its assignments.
/// Whatever is wrong is added to `faults`; the answer is false then.
bool resolve_arm(const Catalog& catalog, const Sources& sources, ResolvedArm& arm, Faults& faults);

}  // namespace ablate::plan

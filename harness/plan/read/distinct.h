// Checks that arms can be told apart.

#pragma once

#include <vector>

#include "harness/plan/read/experiment.h"

namespace ablate::plan {

/// Adds a fault for arms with the same name, with the same settings, or that reports would call the
/// same; and for labels that their values make too long.
void check_distinct(const Sources& sources, const std::vector<ResolvedArm>& arms, Faults& faults);

}  // namespace ablate::plan

// Reads the probes of an experiment.

#pragma once

#include <vector>

#include "harness/plan/read/experiment.h"

namespace ablate::plan {

/// The probes that the experiment lists. Adds everything that is refused to `faults`, and leaves it
/// out.
std::vector<PlannedProbe> read_probes(const Catalog& catalog, const Sources& sources,
                                      Faults& faults);

}  // namespace ablate::plan

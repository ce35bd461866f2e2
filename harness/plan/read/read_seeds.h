// Reads the seeds of an experiment.

#pragma once

#include <cstdint>
#include <vector>

#include "harness/plan/file/sources.h"

namespace ablate::plan {

/// The seeds that the experiment names, or the default ones; at least one. Adds a fault for each
/// value that is not a seed.
std::vector<std::int64_t> read_seeds(const Sources& sources, Faults& faults);

}  // namespace ablate::plan

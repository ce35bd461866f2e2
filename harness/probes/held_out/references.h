// What the losses of held-out examples are read beside.

#pragma once

#include <span>
#include <vector>

#include "harness/data/batches/layout.h"

namespace ablate::probes {

/// The loss of the best predictor without context on each example of a step; nothing where it is not
/// known. `unigram`: as for Objective::context_free.
std::vector<Loss> floors_of(const Objective& objective, std::span<const double> unigram,
                            std::span<const data::PlacedExample> step);

/// The loss of the exact predictor on each example of a step. Requires: the objective's optimum is
/// known.
std::vector<Loss> optima_of(const Objective& objective, const Chain& language,
                            std::span<const data::PlacedExample> step);

}  // namespace ablate::probes

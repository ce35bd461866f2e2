// The probes one by one, and what their specs share. Without LibTorch.

#pragma once

#include <string>

#include "harness/contract/probe.h"

namespace ablate::probes {

// Every probe, in alphabetical order. To add one: write NAME/NAME_spec.cpp, which defines
// NAME_spec() without LibTorch, and NAME/NAME.cpp, which defines measure_NAME(), and add X(NAME).
#define ABLATE_PROBES(X) \
  X(classification)      \
  X(forgetting)          \
  X(generation)          \
  X(held_out)

#define ABLATE_DECLARE(name) ProbeSpec name##_spec();
ABLATE_PROBES(ABLATE_DECLARE)
#undef ABLATE_DECLARE

/// Whether an optimum is known for the objective's losses at these parameters.
bool has_optimum(const ObjectiveSpec& objective, const Params& params);

/// Gives what is reckoned from an optimum that is a bound the caveat that it is: of the metrics
/// from number `first` on, those named PROBE.optimum..., PROBE.excess... and PROBE.share_learned.
void add_caveats(std::vector<Metric>& metrics, std::size_t first, const ObjectiveSpec& objective,
                 const Params& params);

}  // namespace ablate::probes

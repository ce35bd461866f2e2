// The measuring function of each probe, and what they have in common.

#pragma once

#include "harness/probes/members.h"
#include "harness/probes/probe.h"

namespace ablate::probes {

// Declares measure_NAME() for every probe.
#define ABLATE_DECLARE(name) Measure measure_##name;
ABLATE_PROBES(ABLATE_DECLARE)
#undef ABLATE_DECLARE

/// The subject's objective with other parameters, built for its backbone and context. Throws
/// std::invalid_argument where the backbone cannot host it.
Objective objective_at(const Subject& subject, const Params& params);

}  // namespace ablate::probes

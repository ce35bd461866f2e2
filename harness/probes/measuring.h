// The measurements one by one, and what they share.

#pragma once

#include "harness/probes/members.h"
#include "harness/probes/probe.h"

namespace ablate::probes {

/// How a probe measures: without gradients; `progress` is told the fraction that is done.
using Measure = Measurement(const Subject& subject, const plan::ResolvedProbe& probe,
                            const ProgressSink& progress);

#define ABLATE_DECLARE(name) Measure measure_##name;
ABLATE_PROBES(ABLATE_DECLARE)
#undef ABLATE_DECLARE

/// The subject's objective at other parameters, as its backbone hosts it.
Objective objective_at(const Subject& subject, const Params& params);

}  // namespace ablate::probes

// The held-out loss of a model, its optimum and its floor on the same examples.

#pragma once

#include "harness/probes/probe.h"

namespace ablate::probes {

/// Scores held-out texts under the objective at the subject's own setting alone; `measure_held_out`
/// adds the settings that all arms of the objective have in common.
Measurement measure_held_out_own(const Subject& subject, const plan::ResolvedProbe& probe,
                                 const ProgressSink& progress);

}  // namespace ablate::probes

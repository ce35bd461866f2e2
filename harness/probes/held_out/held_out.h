// The held-out loss of a model, with its optimum and floor on the same examples.

#pragma once

#include "harness/probes/probe.h"

namespace ablate::probes {

/// Scores held-out texts under the objective at the subject's own setting only.
/// `measure_held_out()` adds the objective's common settings.
Measurement measure_held_out_own(const Subject& subject, const plan::ResolvedProbe& probe,
                                 const ProgressSink& progress);

}  // namespace ablate::probes

// The held-out loss of a model, with its optimum and floor on the same examples.

#pragma once

#include <vector>

#include "harness/probes/probe.h"

namespace ablate::probes {

/// The numbers of the held-out texts that a trial is scored on, of `count`: `maximum` of them drawn
/// by its seed, or all.
std::vector<std::int64_t> scored_texts(std::int64_t seed, std::int64_t count, std::int64_t maximum);

/// Scores held-out texts under the objective at the subject's own setting only.
/// `measure_held_out()` adds the objective's common settings.
Measurement measure_held_out_own(const Subject& subject, const plan::ResolvedProbe& probe,
                                 const ProgressSink& progress);

}  // namespace ablate::probes

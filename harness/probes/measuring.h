// The measurements one by one, and what they read of a trial.

#pragma once

#include "harness/probes/probe.h"

namespace ablate::probes {

Measurement measure_classification(const Subject& subject, const Json& probe, const Params& params,
                                   const ProgressSink& progress);
Measurement measure_forgetting(const Subject& subject, const Params& params,
                               const ProgressSink& progress);
Measurement measure_generation(const Subject& subject, const Params& params,
                               const ProgressSink& progress);
Measurement measure_held_out(const Subject& subject, const Params& params,
                             const ProgressSink& progress);

/// Tokens in a text, and positions that the model can read.
std::int64_t context_of(const plan::Trial& trial);

/// The parameters of the objective that the trial was trained on.
Params objective_params(const Subject& subject);
Params objective_params(const ObjectiveSpec& objective, Json section);

/// The subject's objective at these parameters.
Objective objective_at(const Subject& subject, const Params& params);

}  // namespace ablate::probes

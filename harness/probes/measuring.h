// The measuring function of each probe, and what they have in common.

#pragma once

#include "harness/probes/members.h"
#include "harness/probes/probe.h"

namespace ablate::probes {

// Declares measure_NAME() for every probe.
#define ABLATE_DECLARE(name) Measure measure_##name;
ABLATE_PROBES(ABLATE_DECLARE)
#undef ABLATE_DECLARE

/// The measurement of an arm that yields no metric of the probe. `subject`: what the metrics would be
/// named after, such as "cloze"; `reason`: a clause that reports print, such as "the objective has no
/// format for such a question".
Measurement no_measurement(const std::string& subject, std::string_view reason);

/// Why an objective without a ClozeFormat is not asked.
inline constexpr std::string_view kNoFormat =
    "the objective has no format in which a model gives such a passage a probability";

/// Why nothing is drawn from an arm without a DrawingScheme.
inline constexpr std::string_view kNoGeneration =
    "no text can be drawn from its models: the objective neither continues nor unmasks text on "
    "this "
    "backbone, and has no format in which a blank is filled token by token";

/// The subject's objective with other parameters, built for its backbone and context. Throws
/// std::invalid_argument where the backbone cannot host it.
Objective objective_at(const Subject& subject, const Params& params);

}  // namespace ablate::probes

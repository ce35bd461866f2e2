// How many seeds a claim would take that is not resolved.

#pragma once

#include <cstdint>
#include <string>

#include "reports/claims/claim.h"
#include "reports/claims/evidence.h"

namespace ablate::reports {

/// What the spread of the values seen says of the power of the claim's test, as a clause: "an effect of
/// the published size, 0.005, would take 214 seeds for a power of .8". `alpha` is shared by `tests`
/// claims under Holm's method. Of a claim of equality: the seeds that show it where there is no
/// difference. Empty where no effect was published in the metric's unit, or too little was seen to
/// tell.
std::string power_note(const Claim& claim, const Evidence& evidence, double alpha,
                       std::int64_t tests);

}  // namespace ablate::reports

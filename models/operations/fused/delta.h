// Delta rules with their gradients, in kernels.

#pragma once

#include "models/operations/scan/delta_rule.h"
#include "models/operations/scan/generalised_delta.h"

namespace ablate::models::fused {

/// As delta_rule_scan() without a state before. Rows of another type than float32, and those whose
/// documents do not follow each other, are read by that.
at::Tensor delta_rule(const DeltaRows& rows);

/// The same of generalised_delta_scan().
at::Tensor generalised_delta(const GeneralisedDeltaRows& rows);

}  // namespace ablate::models::fused

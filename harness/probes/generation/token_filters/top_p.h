// Nucleus sampling.

#pragma once

#include "harness/probes/generation/token_filters/token_filter.h"

namespace ablate::probes {

/// Keeps the fewest tokens, from the most probable on, whose probabilities add up to at least `p`;
/// of equally probable ones the first. At p = 1 it keeps all of them. Source: Holtzman et al. 2020,
/// arXiv:1904.09751, section 3.1. Requires: 0 < p <= 1.
TokenFilter top_p(double p);

}  // namespace ablate::probes

// Greedy decoding.

#pragma once

#include "harness/probes/generation/token_filters/token_filter.h"

namespace ablate::probes {

/// Keeps the most probable token alone; of several, the first.
TokenFilter greedy();

}  // namespace ablate::probes

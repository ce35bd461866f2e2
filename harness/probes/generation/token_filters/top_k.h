// Top-k sampling.

#pragma once

#include "harness/probes/generation/token_filters/token_filter.h"

namespace ablate::probes {

/// Keeps the `k` most probable tokens; of equally probable ones the first. Source: Fan, Lewis &
/// Dauphin 2018, arXiv:1805.04833, section 5.4. Requires: k >= 1.
TokenFilter top_k(std::int64_t k);

}  // namespace ablate::probes

// Draws text left to right.

#pragma once

#include <vector>

#include "harness/probes/generation/drawing/sampling.h"

namespace ablate::probes {

/// Continues each start until the end token or `length` tokens. Every token is drawn given all
/// tokens before it, so the log-probability of a sample is exact. Reads whole texts for each token, as
/// speculative decoding does, which is timed beside it. Requires: all starts have the
/// same length and begin with the begin token.
std::vector<Sample> draw_left_to_right(const Sampler& sampler,
                                       const std::vector<std::vector<Token>>& starts,
                                       std::int64_t length, const SamplingProgress& progress);

}  // namespace ablate::probes

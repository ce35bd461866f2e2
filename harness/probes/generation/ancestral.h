// Drawing text left to right.

#pragma once

#include <vector>

#include "harness/probes/generation/sampling.h"

namespace ablate::probes {

/// Goes on from each start until the end token or `length` tokens: every token is drawn given all
/// before it, so log q of a sample is exact. Requires: starts of one length, begin token first.
std::vector<Sample> draw_left_to_right(const Sampler& sampler,
                                       const std::vector<std::vector<Token>>& starts,
                                       std::int64_t length, const SamplingProgress& progress);

}  // namespace ablate::probes

// What is measured of the texts of one sampler.

#pragma once

#include <map>
#include <string>

#include "harness/contract/chain.h"
#include "harness/probes/generation/samplers/sampler.h"

namespace ablate::probes {

/// Values by the part of a metric's name after the dot: distinct_1 to distinct_3 and repetition; on a
/// language also impossible and, unless all texts are, log_probability; of texts drawn left to right
/// entropy and divergence, where a deterministic sampler has an entropy of 0. `language`: null on text.
std::map<std::string, double> sample_metrics(const Chain* language, const SamplerSpec& sampler,
                                             std::span<const Sample> samples);

/// The tokens of the texts, prompts included.
std::vector<std::vector<Token>> texts_of(std::span<const Sample> samples);

}  // namespace ablate::probes

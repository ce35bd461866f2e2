// What is measured of the texts of one sampler.

#pragma once

#include <map>
#include <string>

#include "harness/contract/chain.h"
#include "harness/probes/generation/samplers/sampler.h"

namespace ablate::probes {

/// Adds distinct_1 to distinct_3, where the texts have `counted_tokens` tokens, and repetition; see
/// variety(). The names end in `suffix`.
void add_variety(std::span<const std::vector<Token>> texts, std::size_t counted_tokens,
                 std::map<std::string, double>& metrics, const std::string& suffix = "");

/// Values by the part of a metric's name after the dot: those of add_variety(); on a language also impossible and, unless all texts are, log_probability; of texts drawn left to right
/// entropy and divergence, where a deterministic sampler has an entropy of 0. `language`: null on text.
std::map<std::string, double> sample_metrics(const Chain* language, const SamplerSpec& sampler,
                                             std::span<const Sample> samples,
                                             std::size_t counted_tokens);

/// The tokens of the texts, prompts included.
std::vector<std::vector<Token>> texts_of(std::span<const Sample> samples);

}  // namespace ablate::probes

// How the settings of a probe choose samplers. Without LibTorch.

#pragma once

#include <string>

#include "harness/contract/params.h"
#include "harness/probes/generation/samplers/sampler.h"

namespace ablate::probes {

/// The rows of "samplers", a list of names, and of a section for each sampler with parameters, by its
/// name. All may be left out.
std::vector<Param> sampler_params();

/// The samplers of the settings that draw from models of this kind, in the order of the settings.
std::vector<const SamplerSpec*> chosen_samplers(const Params& settings, Generation generation);

/// Why an arm whose models generate in this way cannot be measured with these settings; empty if it
/// can.
std::string samplers_refusal(const Params& settings, Generation generation);

/// A sampler's own parameters: its section of the settings, or else its defaults.
Params options_of(const Params& settings, const SamplerSpec& spec);

}  // namespace ablate::probes

// The samplers. To add one: write samplers/NAME.cpp, which defines NAME_sampler(), and add X(NAME)
// in registry.cpp. Without LibTorch.

#pragma once

#include <span>

#include "harness/probes/generation/samplers/sampler.h"

namespace ablate::probes {

/// All samplers, in alphabetical order.
std::span<const SamplerSpec> sampler_specs();

/// The sampler of that name. Throws std::invalid_argument if there is none.
const SamplerSpec& sampler_named(std::string_view name);

/// The sampler that draws exactly from a model of this kind, and from which probes draw unless told
/// otherwise: "ancestral" or "random_order". Requires: not Generation::none.
const SamplerSpec& exact_sampler(Generation generation);

/// The texts of a task by a sampler. Equal texts of a deterministic one are made once.
std::vector<Sample> drawn_by(const SamplerSpec& spec, const TokenSource& source,
                             const DrawTask& task);

}  // namespace ablate::probes

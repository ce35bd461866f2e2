// The samples that a measurement keeps for readers.

#pragma once

#include <span>

#include "harness/probes/generation/samplers/sampler.h"
#include "harness/probes/probe.h"

namespace ablate::probes {

/// The first texts: [{"text", "about"}].
Json stored(const Subject& subject, std::span<const Sample> samples);

/// The first texts of a sampler, for the report to put beside those of the others.
Json stored_for(const Subject& subject, const SamplerSpec& sampler,
                std::span<const Sample> samples);

}  // namespace ablate::probes

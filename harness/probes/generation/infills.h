// The middles of held-out documents, filled by one sampler after the other for readers to compare.

#pragma once

#include <span>

#include "harness/probes/generation/drawing/sampling.h"
#include "harness/probes/generation/samplers/sampler.h"
#include "harness/probes/probe.h"
#include "harness/probes/prompts/asking_spec.h"

namespace ablate::probes {

/// Whether the subject's models can be shown what is right of a blank that they fill.
bool can_infill(const Subject& subject);

/// The first `count` held-out documents that are long enough, each with a blank of `tokens` tokens.
std::vector<Passage> passages_of(const Subject& subject, std::size_t count, std::int64_t tokens);

/// The passages as `sampler` fills them, as stored samples: [{"text", "about"}]. Masks are filled in
/// their places; a left-to-right model is asked in the format of its objective. Requires:
/// can_infill(); passages have a blank each.
Json infill_samples(const Subject& subject, const Sampler& with, const SamplerSpec& sampler,
                    const DrawTask& settings, std::span<const Passage> passages);

}  // namespace ablate::probes

// The settings of the generation probe, for one trial.

#pragma once

#include "harness/probes/generation/drawing/sampling.h"
#include "harness/probes/probe.h"

namespace ablate::probes {

/// What is drawn, and how.
struct GenerationSetting {
  std::size_t samples = 0;
  std::size_t length = 0;  // maximum tokens of a text, begin token and prompt included
  std::size_t prompt = 0;
  std::size_t counted_tokens = 0;  // in which distinct n-grams are counted
  std::int64_t rounds = 0;
  Sampler sampler;
};

/// The settings for a subject. Throws std::invalid_argument where the length does not fit into its
/// context, or the prompt into the length.
GenerationSetting setting_of(const Subject& subject, const Params& params);

}  // namespace ablate::probes

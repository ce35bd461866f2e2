// Texts drawn from a subject's model, whichever way its objective generates.

#pragma once

#include <vector>

#include "harness/probes/generation/samplers/sampler.h"
#include "harness/probes/generation/sampling.h"
#include "harness/probes/probe.h"

namespace ablate::probes {

/// Whether text can be drawn from the subject's model.
bool can_draw(const Subject& subject);

/// Whether it is drawn left to right, so that the log-probabilities of samples are exact.
bool draws_left_to_right(const Subject& subject);

/// What the samplers of the registry draw tokens with from the subject's model.
TokenSource source_for(const Subject& subject, const Sampler& sampler);

/// What is finished to get texts of at most `length` tokens that begin with `starts` (a begin token
/// and a prompt, of the same length in all): the starts, or where masks are filled, texts of the lengths
/// of training documents, which `rng` draws.
std::vector<UnfinishedText> unfinished_texts(const Subject& subject, const Rng& rng,
                                             const std::vector<std::vector<Token>>& starts,
                                             std::size_t length);

/// Continues each start until the end token or `length` tokens: left to right, or by unmasking in
/// random order in `rounds` rounds. Requires: can_draw().
std::vector<Sample> draw_texts(const Subject& subject, const Sampler& sampler,
                               const std::vector<std::vector<Token>>& starts, std::size_t length,
                               std::int64_t rounds, const SamplingProgress& progress);

}  // namespace ablate::probes

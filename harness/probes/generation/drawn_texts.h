// Texts drawn from a subject's model, whichever way its objective generates.

#pragma once

#include <vector>

#include "harness/probes/generation/sampling.h"
#include "harness/probes/probe.h"

namespace ablate::probes {

/// Whether text can be drawn from the subject's model.
bool can_draw(const Subject& subject);

/// Whether it is drawn left to right, so that the log-probabilities of samples are exact.
bool draws_left_to_right(const Subject& subject);

/// Continues each start (a begin token and a prompt, of the same length in all) until the end token
/// or `length` tokens: left to right, or by unmasking in `rounds` rounds with the lengths of training
/// documents. Requires: can_draw().
std::vector<Sample> draw_texts(const Subject& subject, const Sampler& sampler,
                               const std::vector<std::vector<Token>>& starts, std::size_t length,
                               std::int64_t rounds, const SamplingProgress& progress);

}  // namespace ablate::probes

// Texts drawn from a subject's model, whichever way its objective generates.

#pragma once

#include <string_view>
#include <vector>

#include "harness/probes/generation/drawing/sampling.h"
#include "harness/probes/generation/drawing/scheme_spec.h"
#include "harness/probes/generation/samplers/sampler.h"
#include "harness/probes/probe.h"

namespace ablate::probes {

/// Why samples of a model that fills masks have no metric of their own log-probability.
inline constexpr std::string_view kNoExactProbability =
    "its texts are drawn by unmasking, in which a text has no exact log-probability";

/// How text is drawn from the subject's model.
DrawingScheme scheme_of(const Subject& subject);

/// Whether text can be drawn from the subject's model.
bool can_draw(const Subject& subject);

/// Whether each token is drawn given all tokens before it, so that the log-probabilities of samples
/// are exact.
bool draws_left_to_right(const Subject& subject);

/// What the samplers of the registry draw tokens with from the subject's model, for texts of at most
/// `length` tokens of which the first `given` are not drawn. Requires: can_draw(), and `length` is at
/// most drawn_length().
TokenSource source_for(const Subject& subject, const Sampler& sampler, std::size_t given,
                       std::size_t length);

/// The most tokens, up to `length`, that a text can have of which the first `given` are not drawn:
/// fewer where it is drawn through a format, of which the marks take up room. Throws
/// std::invalid_argument where nothing can be drawn. Requires: can_draw().
std::size_t drawn_length(const Subject& subject, std::size_t given, std::size_t length);

/// Says in a measurement's details, as "shorter", where texts of `drawn` tokens at most are shorter than
/// those of other arms, of `length`.
void note_length(Json& details, std::size_t drawn, std::size_t length);

/// What is finished to get texts of at most `length` tokens that begin with `starts` (a begin token
/// and a prompt, of the same length in all): the starts, or where masks are filled, texts of the lengths
/// of training documents, which `rng` draws.
std::vector<UnfinishedText> unfinished_texts(const Subject& subject, const Rng& rng,
                                             const std::vector<std::vector<Token>>& starts,
                                             std::size_t length);

/// Continues each start until the end token or `length` tokens, or as many as fit: left to right, or by
/// unmasking in random order in `rounds` rounds. Requires: can_draw(); all starts have the same
/// length.
std::vector<Sample> draw_texts(const Subject& subject, const Sampler& sampler,
                               const std::vector<std::vector<Token>>& starts, std::size_t length,
                               std::int64_t rounds, const SamplingProgress& progress);

}  // namespace ablate::probes

// Text as the fill of a blank at its end, by models of any objective whose format can be asked for
// tokens one after the other.

#pragma once

#include "harness/probes/generation/drawing/sampling.h"
#include "harness/probes/probe.h"

namespace ablate::probes {

/// What continues texts through the format of the subject's objective, for samplers that ask for the
/// last place of each: the first `given` tokens of a text stand left of a blank, the others are what
/// is drawn so far of it, and the token by which the format stops stands for the end token. Texts have
/// `length` tokens at most, and fit. Requires: the format is `left` or `both_sides`. The subject and
/// the sampler's network outlive it.
TokenSource format_source(const Subject& subject, const Sampler& sampler, std::size_t given,
                          std::size_t length);

/// The most tokens, up to `length`, of a text of which the first `given` are not drawn, so that it and
/// the marks of the format fit into the model; `given` where nothing can be drawn.
std::size_t longest_through_format(const Subject& subject, std::size_t given, std::size_t length);

}  // namespace ablate::probes

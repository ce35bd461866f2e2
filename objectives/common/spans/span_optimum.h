// The exact predictor of what spans hide.

#pragma once

#include "objectives/common/spans/spans.h"

namespace ablate::objectives {

/// The loss on an example that `corrupted` made of one of the text's parts, whatever was put before
/// its inputs since:
///
///   -log P(targets | inputs) = log sum over lengths of the spans of P(lengths) P(tokens kept)
///                              - log P(lengths) P(tokens kept and hidden)
///
/// It is told how many tokens the part has, which the inputs nearly tell: a lower bound, and a
/// close one. Where the spans were rolled it is told their lengths, too.
Loss span_optimum(const SpanNoise& noise, const Chain& language, const Text& text,
                  const Example& example);

/// The best loss without context and without order: a target is a word with the share that hidden
/// tokens have among the example's targets, each word by the unigram law; each sentinel and the end
/// token are one target of them all.
Loss span_context_free(std::span<const double> unigram, const Example& example);

}  // namespace ablate::objectives

// The exact predictor of the tokens that spans hide.

#pragma once

#include "objectives/common/spans/spans.h"

namespace ablate::objectives {

/// The loss on an example that `corrupted` made from one part of the text, possibly with tokens
/// prepended to its inputs:
///
///   -log P(targets | inputs) = log sum over lengths of the spans of P(lengths) P(tokens kept)
///                              - log P(lengths) P(tokens kept and hidden)
///
/// A close lower bound: the predictor knows the length of the part, which the inputs nearly
/// determine. For rolled spans it also knows their lengths.
Loss span_optimum(const SpanNoise& noise, const Chain& language, const Text& text,
                  const Example& example);

/// The best loss without context and without order. A target is a word with the fraction of hidden
/// tokens among the example's targets, and then follows the unigram distribution; each sentinel and
/// the end token have probability 1 / targets.
Loss span_context_free(std::span<const double> unigram, const Example& example);

}  // namespace ablate::objectives

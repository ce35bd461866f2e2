// Hiding spans of a text behind sentinels: how many, where, and the example that results.
//
// Hidden tokens and spans are counted from the length of the text, not drawn; of all sets of spans
// with these counts a law draws one. Sentinels are numbered by the list of spans, never by the
// edges of a mask: a mask that was rolled may start with a hidden token.
//
// Source: Raffel et al. 2020, "Exploring the Limits of Transfer Learning with a Unified
// Text-to-Text Transformer", arXiv:1910.10683, section 3.1.4, and the reference code that belongs
// to it (random_spans_noise_mask, random_spans_helper).

#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "harness/contract/objective.h"
#include "objectives/common/spans/parts.h"
#include "objectives/common/spans/span_lengths.h"

namespace ablate::objectives {

struct SpanSettings {
  double density = 0.15;  // fraction of the tokens hidden
  double mean = 3;        // tokens in a span
  LengthDistribution distribution = LengthDistribution::composition;
  std::int64_t longest = 10;  // of the geometric law, in tokens
  bool roll = false;          // whether the spans are moved round the end by a random offset
};

/// A hidden stretch, counted from the first of the part's own tokens.
struct Span {
  std::int64_t first = 0;
  std::int64_t count = 0;
};

/// The counts of the reference implementation: products of floats, halves to even, at least one
/// token hidden and one kept; and never more spans than there are kept tokens to part them, which
/// the reference does not check. Nothing of fewer than two tokens.
Noise noise_of(std::int64_t tokens, double density, double mean);

/// How long a text is to be so that its inputs have a given length, and how long its targets are
/// then, an end token counted on either side. In double precision, as the reference is here.
struct FittingLengths {
  std::int64_t tokens = 0;
  std::int64_t targets = 0;
};
FittingLengths fitting_lengths(std::int64_t inputs, double density, double mean);

/// Draws spans in texts of up to a given length.
class SpanNoise {
 public:
  /// Throws std::invalid_argument, `name` before it, where a text of `text_length` tokens cannot be
  /// corrupted as asked.
  SpanNoise(std::string_view name, const SpanSettings& settings, std::int64_t text_length);

  const SpanSettings& settings() const { return settings_; }
  const SpanLengths& span_lengths() const { return span_lengths_; }

  /// `noise_of`, save that no lengths are asked for that the law cannot give: a short text may have
  /// more spans or less hidden. Requires: tokens <= text_length, as below.
  Noise counts(std::int64_t tokens) const;

  /// Spans within [0, tokens), ascending, with a kept token between any two; the first token is
  /// kept and the last one hidden unless the spans are rolled.
  std::vector<Span> draw(std::int64_t tokens, Rng rng) const;

  /// The most spans that a text of this many tokens is given: one more where a roll parts one.
  std::int64_t sentinels(std::int64_t tokens) const;

  /// The most that an example of one document's part of this many tokens takes.
  Lengths lengths(std::int64_t tokens) const;

 private:
  SpanSettings settings_;
  SpanLengths span_lengths_;
};

/// The part's example with these spans of its own tokens hidden.
Example corrupted(const Text& text, const Part& part, std::span<const Span> spans,
                  const Vocabulary& vocabulary);

}  // namespace ablate::objectives

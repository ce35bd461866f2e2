// Span corruption: replaces spans of a text with sentinels.
//
// The numbers of hidden tokens and spans follow from the length of the text; the spans are drawn
// among all sets with these counts. Sentinels are numbered by the list of spans, not by the edges
// of a mask, because a rolled mask may start with a hidden token.
//
// Source: Raffel et al. 2020, "Exploring the Limits of Transfer Learning with a Unified
// Text-to-Text Transformer", arXiv:1910.10683, section 3.1.4, and its reference code
// (random_spans_noise_mask, random_spans_helper).

#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "harness/contract/objective.h"
#include "objectives/common/spans/parts.h"
#include "objectives/common/spans/span_lengths.h"

namespace ablate::objectives {

/// How spans are drawn.
struct SpanSettings {
  double density = 0.15;  // fraction of the tokens hidden
  double mean = 3;        // mean span length, tokens
  LengthDistribution distribution = LengthDistribution::composition;
  std::int64_t longest = 10;  // geometric distribution: maximum length, tokens
  bool roll = false;          // whether the spans are rotated by a random offset
};

/// A run of hidden tokens.
struct Span {
  std::int64_t first = 0;  // counted from the part's first ordinary token
  std::int64_t count = 0;  // tokens
};

/// The counts of the reference implementation: float products, ties rounded to even, at least one
/// token hidden and one kept. Unlike the reference, never more spans than kept tokens to separate
/// them. Zero for a text of fewer than two tokens.
Noise noise_of(std::int64_t tokens, double density, double mean);

/// Lengths of a text and its targets, tokens.
struct FittingLengths {
  std::int64_t tokens = 0;   // of the text
  std::int64_t targets = 0;  // including the end token
};

/// The text length whose inputs fill `inputs` tokens (including the end token), and the length of
/// its targets. Computed in double precision, as in the reference's random_spans_helper.
FittingLengths fitting_lengths(std::int64_t inputs, double density, double mean);

/// Draws spans in texts of up to `text_length` tokens. Requires: every `tokens` argument is at most
/// text_length.
class SpanNoise {
 public:
  /// `name` starts error messages. Throws std::invalid_argument if a text of `text_length` tokens
  /// cannot be corrupted with these settings.
  SpanNoise(std::string_view name, const SpanSettings& settings, std::int64_t text_length);

  const SpanSettings& settings() const { return settings_; }         // as constructed
  const SpanLengths& span_lengths() const { return span_lengths_; }  // their distribution

  /// The number of hidden tokens and spans. Equal to noise_of, except that a short text may get
  /// more spans or fewer hidden tokens if the distribution cannot produce such lengths.
  Noise counts(std::int64_t tokens) const;

  /// Draws spans within [0, tokens), ascending, with at least one kept token between two spans. The
  /// first token is kept and the last one hidden unless the spans are rolled.
  std::vector<Span> draw(std::int64_t tokens, Rng rng) const;

  /// The maximum number of spans in a text of this many tokens: one more if a roll can split a
  /// span.
  std::int64_t sentinels(std::int64_t tokens) const;

  /// The maximum lengths of an example made from a document's part of this many tokens.
  Lengths lengths(std::int64_t tokens) const;

 private:
  SpanSettings settings_;
  SpanLengths span_lengths_;
};

/// The example made from a part by hiding these spans of its ordinary tokens.
Example corrupted(const Text& text, const Part& part, std::span<const Span> spans,
                  const Vocabulary& vocabulary);

/// The question as the only hidden span of its text.
std::vector<Example> span_cloze(const Cloze& cloze, const Vocabulary& vocabulary);

/// The same question of what ends the span: the end token, or the sentinel of the next one.
std::vector<Example> span_stop(const Cloze& cloze, const Vocabulary& vocabulary);

}  // namespace ablate::objectives

// In-place masking: how many tokens of a text are hidden, and which of them together.

#pragma once

#include "harness/contract/objective.h"
#include "harness/contract/params.h"
#include "objectives/common/masks/mask_units.h"

namespace ablate::objectives {

/// The smallest piece of text that is hidden or kept together.
enum class MaskUnit { token, whole_word, span, ngram };

/// How tokens to hide are chosen.
struct Masking {
  MaskUnit unit = MaskUnit::token;
  bool exact = false;  // true: hides rate * tokens of every text; false: the number is random
  std::vector<double> lengths = {};  // spans and n-grams: P(length <= n words)
};

/// Reads the parameters `unit` and `count`.
Masking masking_of(const Params& params);

/// The number of tokens of the text that are not special.
std::int64_t hideable(const Text& text);

/// Their positions, ascending.
Positions hideable_positions(const Text& text);

/// How many of `tokens` are hidden by an exact count: rate * tokens, ties rounded to even, at least
/// one.
std::int64_t exact_count(std::int64_t tokens, double rate);

/// Hides each token that is not special with probability `rate`; returns the hidden positions.
/// Every position consumes one draw, so with the same random numbers a higher rate hides a
/// superset.
Positions hide_each(const Text& text, double rate, Rng rng);

/// Chooses the hidden positions as `masking` says; none of them is special.
Positions hide(const Masking& masking, const Text& text, double rate, Rng rng);

/// The question with masks in place of the target: example i shows the first i of its tokens and
/// scores the next one. The product of the probabilities is proper, given the number of tokens.
std::vector<Example> unmasked_left_to_right(const Cloze& cloze);

/// The question with masks in place of the tokens number `hidden` of the target, which are scored, and
/// its other tokens shown.
Example partly_masked(const Cloze& cloze, std::span<const std::size_t> hidden);

/// Returns `count` of the positions, ascending; every subset is equally likely. Requires:
/// count <= positions.size().
Positions choose_exactly(std::span<const std::int32_t> positions, std::int64_t count, Rng rng);

}  // namespace ablate::objectives

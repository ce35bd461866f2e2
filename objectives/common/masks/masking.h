// Which tokens of a text are hidden in place: how many, and which of them together.

#pragma once

#include "harness/contract/params.h"
#include "objectives/common/masks/mask_units.h"

namespace ablate::objectives {

/// What is hidden as one.
enum class MaskUnit { token, whole_word, span, ngram };

struct Masking {
  MaskUnit unit = MaskUnit::token;
  bool exact = false;  // the rate's share of each text; else the number varies from text to text
  std::vector<double> lengths = {};  // in words, of spans and n-grams: P(length <= n)
};

/// By the parameters `unit` and `count`.
Masking masking_of(const Params& params);

/// Tokens of the text that are not special.
std::int64_t hideable(const Text& text);

/// How many of `tokens` an exact count hides: halves go to the even neighbour, at least one.
std::int64_t exact_count(std::int64_t tokens, double rate);

/// Every token that is not special, each with probability `rate`. Every position draws once, hidden
/// or not, so that with the same random numbers a higher rate hides the same tokens and more.
Positions hide_each(const Text& text, double rate, Rng rng);

/// The positions that are hidden; none of them is special.
Positions hide(const Masking& masking, const Text& text, double rate, Rng rng);

/// `count` of the positions, every set equally likely. Requires: there are as many.
Positions choose_exactly(std::span<const std::int32_t> positions, std::int64_t count, Rng rng);

}  // namespace ablate::objectives

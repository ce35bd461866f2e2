// The units that in-place masking hides together: whole words, spans of words, n-grams.
// Every choice is a function of random draws made by the caller, so tests can compare it with
// stored vectors.

#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "harness/contract/example.h"

namespace ablate::objectives {

/// Positions of a text, ascending.
using Positions = std::vector<std::int32_t>;

/// The pieces of one word: positions [first, end) of a text.
struct Word {
  std::int32_t first = 0;
  std::int32_t end = 0;

  std::int32_t size() const { return end - first; }  // tokens
};

/// Whether the text marks the start of at least one word.
bool knows_words(const Text& text);

/// The words of a text, in order. Special tokens belong to no word and end the previous one. Tokens
/// before the first marked start form a word; in a text without marks every token is a word.
std::vector<Word> words_of(const Text& text);

/// Hides whole words, tried in `order`. Skips a word that would exceed the budget of `budget`
/// tokens. Returns the hidden positions.
Positions choose_words(std::span<const Word> words, std::span<const std::int32_t> order,
                       std::int64_t budget);

/// Hides n-grams of whole words that start at the words in `order`. The n-gram of word i has
/// lengths[i] words, or fewer where the run of words or the budget (tokens) ends. An n-gram that
/// overlaps a hidden word is skipped. Single words, in the same order, fill what is left of the
/// budget. Returns the hidden positions.
Positions choose_ngrams(std::span<const Word> words, std::span<const std::int32_t> order,
                        std::span<const std::int64_t> lengths, std::int64_t budget);

/// A proposed span of whole words.
struct SpanDraw {
  std::int64_t position = 0;  // in the text; the span starts with the word at this position
  std::int64_t words = 1;     // length
};

/// Draws spans of whole words until exactly `budget` tokens are hidden. The last span is cut to fit
/// the budget; every span ends before a special token. A draw at a special or hidden position is
/// ignored. Returns the hidden positions. Requires: a text of `size` tokens, of which at least
/// `budget` belong to words.
Positions choose_spans(std::span<const Word> words, std::size_t size,
                       const std::function<SpanDraw()>& draw, std::int64_t budget);

/// P(length <= n), n = 1 ... maximum, of a geometric distribution with success probability `p`,
/// truncated at `maximum`.
std::vector<double> geometric_lengths(double p, std::int64_t maximum);

/// P(length <= n), n = 1 ... maximum, where P(length = n) is proportional to 1 / n.
std::vector<double> harmonic_lengths(std::int64_t maximum);

/// Inverse transform sampling: the smallest length n with draw < cumulative[n - 1], draw in [0, 1).
std::int64_t length_at(std::span<const double> cumulative, double draw);

}  // namespace ablate::objectives

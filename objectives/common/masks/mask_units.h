// What is hidden together where tokens are hidden in place: whole words, spans of words, n-grams.
// Every choice is a function of draws that the caller made, so that it can be held against vectors.

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

  std::int32_t size() const { return end - first; }
};

/// Whether anything is known of where the text's words start.
bool knows_words(const Text& text);

/// The words of a text, in order; special tokens belong to none and end the one before. What stands
/// before the first known start is a word; where no start is known, every token is.
std::vector<Word> words_of(const Text& text);

/// Whole words, tried in `order`: each is hidden unless more than `budget` tokens would be.
Positions choose_words(std::span<const Word> words, std::span<const std::int32_t> order,
                       std::int64_t budget);

/// N-grams of whole words that start at the words in `order`; that of word i has lengths[i] words,
/// fewer where the words after it end or the budget does. One that meets a hidden word is left out.
/// Should that leave room in the budget, single words fill it, in the same order.
Positions choose_ngrams(std::span<const Word> words, std::span<const std::int32_t> order,
                        std::span<const std::int64_t> lengths, std::int64_t budget);

struct SpanDraw {
  std::int64_t position = 0;  // in the text; its word is the span's first
  std::int64_t words = 1;
};

/// Spans of whole words, drawn until exactly `budget` tokens are hidden: the last one is cut there,
/// and each one before a special token. A draw whose position is special or hidden already counts
/// for nothing. Requires: `budget` tokens of words, of `size` tokens in all.
Positions choose_spans(std::span<const Word> words, std::size_t size,
                       const std::function<SpanDraw()>& draw, std::int64_t budget);

/// P(length <= n) for n = 1, 2 ... of a geometric law that is cut off after `most`.
std::vector<double> geometric_lengths(double p, std::int64_t maximum);

/// The same of the law 1 / n.
std::vector<double> harmonic_lengths(std::int64_t maximum);

/// The length whose share of [0, 1) the draw falls in.
std::int64_t length_at(std::span<const double> cumulative, double draw);

}  // namespace ablate::objectives

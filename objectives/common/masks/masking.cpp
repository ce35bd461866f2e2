// Chooses the tokens that masking hides: one by one, by words, n-grams or spans.

#include "objectives/common/masks/masking.h"

#include <algorithm>

#include "harness/base/shuffle.h"
#include "objectives/common/joined.h"
#include "objectives/common/numbers.h"

namespace ablate::objectives {
namespace {

/// Separates the random numbers of spans, n-grams and word orders from those of tokens.
constexpr std::uint64_t kUnitDraws = 2;

constexpr double kSpanEnd = 0.2;  // probability that a span ends with each of its words
constexpr std::int64_t kLongestSpan = 10;
constexpr std::int64_t kLongestNgram = 3;

/// The number of tokens that hide() would hide one by one with the same random numbers: units
/// change which tokens are hidden together, not how many.
std::int64_t budget_of(const Masking& masking, const Text& text, double rate, Rng rng) {
  if (!masking.exact) return std::ssize(hide_each(text, rate, rng));
  const std::int64_t tokens = hideable(text);
  return tokens > 0 ? exact_count(tokens, rate) : 0;
}

Positions hide_exactly(const Text& text, double rate, Rng rng) {
  const Positions all = hideable_positions(text);
  return all.empty() ? all : choose_exactly(all, exact_count(std::ssize(all), rate), rng);
}

/// Hides each word with probability `rate`, using the draw of its first token.
Positions hide_each_word(const Text& text, double rate, Rng rng) {
  const std::uint64_t threshold = Rng::threshold(rate);
  Positions positions;
  for (const Word& word : words_of(text))
    if (rng.happens(static_cast<std::uint64_t>(word.first), threshold))
      for (std::int32_t i = word.first; i < word.end; ++i) positions.push_back(i);
  return positions;
}

Positions hide_words(const Text& text, std::int64_t budget, Rng rng) {
  const std::vector<Word> words = words_of(text);
  return choose_words(words, random_order(static_cast<std::int32_t>(words.size()), rng), budget);
}

Positions hide_ngrams(const Masking& masking, const Text& text, std::int64_t budget, Rng rng) {
  const std::vector<Word> words = words_of(text);
  Rng length_rng = rng.fork(0);
  std::vector<std::int64_t> lengths(words.size());
  for (std::int64_t& length : lengths) length = length_at(masking.lengths, length_rng.uniform());
  return choose_ngrams(words, random_order(static_cast<std::int32_t>(words.size()), rng), lengths,
                       budget);
}

Positions hide_spans(const Masking& masking, const Text& text, std::int64_t budget, Rng rng) {
  const auto draw = [&]() -> SpanDraw {
    const std::int64_t words = length_at(masking.lengths, rng.uniform());
    return {rng.below(std::ssize(text.tokens)), words};
  };
  return choose_spans(words_of(text), text.tokens.size(), draw, budget);
}

/// The text of a question, in place, of which nothing is hidden or scored yet.
Example shown(const Cloze& cloze) {
  Example example;
  example.inputs = joined({cloze.left, cloze.target, cloze.right});
  example.targets = example.inputs;
  example.weights.assign(example.inputs.size(), 0.0f);
  return example;
}

}  // namespace

Masking masking_of(const Params& params) {
  Masking masking{.exact = params.text("count") == "exact"};
  const std::string& unit = params.text("unit");
  if (unit == "whole_word") masking.unit = MaskUnit::whole_word;
  if (unit == "span") {
    masking.unit = MaskUnit::span;
    masking.lengths = geometric_lengths(kSpanEnd, kLongestSpan);
  }
  if (unit == "ngram") {
    masking.unit = MaskUnit::ngram;
    masking.lengths = harmonic_lengths(kLongestNgram);
  }
  return masking;
}

std::int64_t hideable(const Text& text) {
  std::int64_t count = 0;
  for (std::size_t i = 0; i < text.tokens.size(); ++i) count += text.is_special(i) ? 0 : 1;
  return count;
}

Positions hideable_positions(const Text& text) {
  Positions all;
  for (std::size_t i = 0; i < text.tokens.size(); ++i)
    if (!text.is_special(i)) all.push_back(static_cast<std::int32_t>(i));
  return all;
}

std::int64_t exact_count(std::int64_t tokens, double rate) {
  const std::int64_t count = rounded(rate * static_cast<double>(tokens));
  return std::min(tokens, std::max<std::int64_t>(1, count));
}

/// Branch-free, because a processor cannot predict a branch on a random draw.
Positions hide_each(const Text& text, double rate, Rng rng) {
  const std::uint64_t threshold = Rng::threshold(rate);
  const std::size_t size = text.tokens.size();
  Positions positions(size);
  std::size_t count = 0;
  const auto draw = [&](auto is_special) {
    for (std::size_t i = 0; i < size; ++i) {
      positions[count] = static_cast<std::int32_t>(i);
      // Both are computed each time: a branch that cannot be foreseen would cost more.
      const bool drawn = rng.happens(i, threshold), open = !is_special(i);
      count += static_cast<std::size_t>(drawn) & static_cast<std::size_t>(open);
    }
  };
  if (text.marks.empty())
    draw([tokens = text.tokens.data()](std::size_t i) {
      return static_cast<std::uint32_t>(tokens[i]) < special_count;
    });
  else
    draw([marks = text.marks.data()](std::size_t i) { return (marks[i] & special_mark) != 0; });
  positions.resize(count);
  return positions;
}

Positions choose_exactly(std::span<const std::int32_t> positions, std::int64_t count, Rng rng) {
  Positions chosen;
  std::int64_t left = std::ssize(positions);
  for (const std::int32_t position : positions) {  // selection sampling: Knuth, vol. 2, 3.4.2 S
    const double wanted = static_cast<double>(count - std::ssize(chosen));
    if (rng.uniform() * static_cast<double>(left--) < wanted) chosen.push_back(position);
  }
  return chosen;
}

Positions hide(const Masking& masking, const Text& text, double rate, Rng rng) {
  if (masking.unit == MaskUnit::token)
    return masking.exact ? hide_exactly(text, rate, rng) : hide_each(text, rate, rng);
  if (masking.unit == MaskUnit::whole_word && !masking.exact)
    return hide_each_word(text, rate, rng);
  const std::int64_t budget = budget_of(masking, text, rate, rng);
  const Rng of_units = rng.fork(kUnitDraws);
  if (masking.unit == MaskUnit::whole_word) return hide_words(text, budget, of_units);
  if (masking.unit == MaskUnit::ngram) return hide_ngrams(masking, text, budget, of_units);
  return hide_spans(masking, text, budget, of_units);
}

Example partly_masked(const Cloze& cloze, std::span<const std::size_t> hidden) {
  Example example = shown(cloze);
  for (const std::size_t token : hidden) {
    example.inputs[cloze.left.size() + token] = mask_token;
    example.weights[cloze.left.size() + token] = 1;
  }
  return example;
}

std::vector<Example> unmasked_left_to_right(const Cloze& cloze) {
  Example example = shown(cloze);
  const auto first = example.inputs.begin() + std::ssize(cloze.left);
  std::fill(first, first + std::ssize(cloze.target), Token{mask_token});
  std::vector<Example> examples(cloze.target.size(), example);
  for (std::size_t i = 0; i < cloze.target.size(); ++i) {
    const auto at = cloze.left.size() + i;
    std::copy_n(cloze.target.begin(), i, examples[i].inputs.begin() + std::ssize(cloze.left));
    examples[i].weights[at] = 1;
  }
  return examples;
}

}  // namespace ablate::objectives

#include "objectives/common/masks/mask_units.h"

#include <algorithm>
#include <numeric>

namespace ablate::objectives {
namespace {

/// Collects the hidden tokens of a text, up to a budget.
class Cover {
 public:
  Cover(std::size_t size, std::int64_t budget) : hidden_(size, 0), left_(budget) {}

  std::int64_t left() const { return left_; }
  bool has(std::int32_t position) const { return hidden_[static_cast<std::size_t>(position)] != 0; }

  bool meets(std::span<const Word> words) const {
    for (const Word& word : words)
      for (std::int32_t i = word.first; i < word.end; ++i)
        if (has(i)) return true;
    return false;
  }

  /// Hides the word's tokens that are not hidden yet, as far as the budget allows.
  void add(const Word& word) {
    for (std::int32_t i = word.first; i < word.end && left_ > 0; ++i) {
      if (has(i)) continue;
      hidden_[static_cast<std::size_t>(i)] = 1;
      --left_;
    }
  }

  Positions positions() const {
    Positions result;
    for (std::size_t i = 0; i < hidden_.size(); ++i)
      if (hidden_[i] != 0) result.push_back(static_cast<std::int32_t>(i));
    return result;
  }

 private:
  std::vector<std::uint8_t> hidden_;
  std::int64_t left_;
};

std::size_t end_of(std::span<const Word> words) {
  return words.empty() ? 0 : static_cast<std::size_t>(words.back().end);
}

/// Up to `count` adjacent words from word `first` on, with no special token between them.
std::span<const Word> run_of(std::span<const Word> words, std::size_t first, std::int64_t count) {
  std::size_t end = first + 1;
  while (end < words.size() && static_cast<std::int64_t>(end - first) < count &&
         words[end].first == words[end - 1].end)
    ++end;
  return words.subspan(first, end - first);
}

std::int64_t tokens_of(std::span<const Word> run) { return run.back().end - run.front().first; }

void add_ngram(std::span<const Word> run, Cover& cover) {
  while (run.size() > 1 && tokens_of(run) > cover.left()) run = run.first(run.size() - 1);
  if (tokens_of(run) > cover.left() || cover.meets(run)) return;
  for (const Word& word : run) cover.add(word);
}

/// The cumulative distribution of weights, normalised.
std::vector<double> cumulative(std::vector<double> weights) {
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  double sum = 0;
  for (double& weight : weights) weight = (sum += weight) / total;
  return weights;
}

}  // namespace

bool knows_words(const Text& text) {
  return std::any_of(text.marks.begin(), text.marks.end(),
                     [](std::uint8_t marks) { return (marks & word_mark) != 0; });
}

std::vector<Word> words_of(const Text& text) {
  const bool known = knows_words(text);
  std::vector<Word> words;
  bool open = false;
  for (std::size_t i = 0; i < text.tokens.size(); ++i) {
    const auto position = static_cast<std::int32_t>(i);
    const bool special = text.is_special(i);
    if (open && !special && known && !(text.marks[i] & word_mark))
      words.back().end = position + 1;
    else if (!special)
      words.push_back({position, position + 1});
    open = !special;
  }
  return words;
}

Positions choose_words(std::span<const Word> words, std::span<const std::int32_t> order,
                       std::int64_t budget) {
  Cover cover(end_of(words), budget);
  for (const std::int32_t number : order) {
    const Word& word = words[static_cast<std::size_t>(number)];
    if (word.size() <= cover.left()) cover.add(word);
  }
  return cover.positions();
}

Positions choose_ngrams(std::span<const Word> words, std::span<const std::int32_t> order,
                        std::span<const std::int64_t> lengths, std::int64_t budget) {
  Cover cover(end_of(words), budget);
  for (const std::int32_t number : order) {
    const auto first = static_cast<std::size_t>(number);
    if (cover.left() > 0) add_ngram(run_of(words, first, lengths[first]), cover);
  }
  for (const std::int32_t number : order)
    if (cover.left() > 0) add_ngram(words.subspan(static_cast<std::size_t>(number), 1), cover);
  return cover.positions();
}

Positions choose_spans(std::span<const Word> words, std::size_t size,
                       const std::function<SpanDraw()>& draw, std::int64_t budget) {
  constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  std::vector<std::size_t> word_at(size, kNone);
  for (std::size_t i = 0; i < words.size(); ++i)
    std::fill(word_at.begin() + words[i].first, word_at.begin() + words[i].end, i);

  Cover cover(size, budget);
  while (cover.left() > 0) {
    const SpanDraw span = draw();
    const std::size_t first = word_at[static_cast<std::size_t>(span.position)];
    if (first == kNone || cover.has(static_cast<std::int32_t>(span.position))) continue;
    for (const Word& word : run_of(words, first, span.words)) cover.add(word);
  }
  return cover.positions();
}

std::vector<double> geometric_lengths(double p, std::int64_t maximum) {
  std::vector<double> weights(static_cast<std::size_t>(maximum));
  double next = 1;
  for (double& weight : weights) {
    weight = next;
    next *= 1 - p;
  }
  return cumulative(std::move(weights));
}

std::vector<double> harmonic_lengths(std::int64_t maximum) {
  std::vector<double> weights(static_cast<std::size_t>(maximum));
  for (std::size_t n = 1; n <= weights.size(); ++n) weights[n - 1] = 1 / static_cast<double>(n);
  return cumulative(std::move(weights));
}

std::int64_t length_at(std::span<const double> cumulative, double draw) {
  const auto found = std::upper_bound(cumulative.begin(), cumulative.end() - 1, draw);
  return found - cumulative.begin() + 1;
}

}  // namespace ablate::objectives

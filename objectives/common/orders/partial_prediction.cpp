// Draws n-grams from left to right, then single tokens.

#include "objectives/common/orders/partial_prediction.h"

#include <algorithm>

#include "objectives/common/masks/masking.h"

namespace ablate::objectives {
namespace {

/// The places of a run that are predicted.
class Choice {
 public:
  Choice(const PartialPrediction& settings, std::span<const std::uint8_t> starts, std::int64_t goal)
      : settings_(settings), starts_(starts), left_(goal), chosen_(starts.size(), 0) {}

  void add_ngrams(Rng& rng) {
    const std::vector<double> lengths = harmonic_lengths(settings_.longest);
    for (std::int64_t at = 0; at < size() && left_ > 0;) {
      const std::int64_t units = std::min(length_at(lengths, rng.uniform()), left_);
      const std::int64_t around = units * settings_.context, before = rng.below(around);
      const std::int64_t first = next_start(at + before);
      const std::int64_t end = first < size() ? end_of(first, units) : size();
      // As in the source, an n-gram that reaches the run's end ends the drawing.
      if (end >= size()) return;
      const std::int64_t taken = std::min(end - first, left_);  // of the last words, what is left
      std::fill_n(chosen_.begin() + first, taken, std::uint8_t{1});
      left_ -= taken;
      at = end + around - before;
    }
  }

  void add_single(Rng rng) {
    Positions open;
    for (std::int64_t i = 0; i < size(); ++i)
      if (chosen_[static_cast<std::size_t>(i)] == 0) open.push_back(static_cast<std::int32_t>(i));
    for (const std::int32_t place : choose_exactly(open, left_, rng))
      chosen_[static_cast<std::size_t>(place)] = 1;
  }

  Positions places() const {
    Positions places;
    for (std::size_t i = 0; i < chosen_.size(); ++i)
      if (chosen_[i] != 0) places.push_back(static_cast<std::int32_t>(i));
    return places;
  }

 private:
  std::int64_t size() const { return std::ssize(starts_); }

  /// The first place from `place` on at which a word begins; the run's end if there is none.
  std::int64_t next_start(std::int64_t place) const {
    while (place < size() && starts_[static_cast<std::size_t>(place)] == 0) ++place;
    return std::min(place, size());
  }

  /// Where the n-gram of `units` tokens or words that starts at `first` ends.
  std::int64_t end_of(std::int64_t first, std::int64_t units) const {
    if (!settings_.words) return first + units;
    std::int64_t end = first;
    for (std::int64_t word = 0; word < units && end < size(); ++word) end = next_start(end + 1);
    return end;
  }

  const PartialPrediction& settings_;
  std::span<const std::uint8_t> starts_;
  std::int64_t left_;  // to choose
  std::vector<std::uint8_t> chosen_;
};

}  // namespace

Positions choose_partly(const PartialPrediction& settings, std::span<const std::uint8_t> starts,
                        std::int64_t goal, Rng rng) {
  Choice choice(settings, starts, goal);
  Rng ngrams = rng.fork(0);
  choice.add_ngrams(ngrams);
  choice.add_single(rng.fork(1));
  return choice.places();
}

Positions predicted_partly(const PartialPrediction& settings, const Text& text, Rng rng) {
  const bool words = knows_words(text);
  Positions predicted;
  std::int64_t seen = 0;
  for (std::size_t first = 0; first < text.tokens.size();) {
    const std::size_t end = document_end(text.tokens, first);
    Positions places;  // of the document's run, in the text
    std::vector<std::uint8_t> starts;
    for (std::size_t i = first; i < end; ++i) {
      if (text.is_special(i)) continue;
      places.push_back(static_cast<std::int32_t>(i));
      starts.push_back(!words || (text.marks[i] & word_mark) != 0 ? 1 : 0);
    }
    // Rounded over the documents together, so that a text of many short ones has its number, too.
    const auto count = [&](std::int64_t tokens) {
      return tokens > 0 ? exact_count(tokens, settings.rate) : 0;
    };
    const std::int64_t before = count(seen);
    seen += std::ssize(places);
    const std::int64_t goal = std::min(std::ssize(places), count(seen) - before);
    for (const std::int32_t place :
         choose_partly(settings, starts, goal, rng.fork(static_cast<std::uint64_t>(first))))
      predicted.push_back(places[static_cast<std::size_t>(place)]);
    first = end;
  }
  return predicted;
}

}  // namespace ablate::objectives

#include "harness/probes/generation/samplers/common/unmasking.h"

#include <algorithm>
#include <numeric>

#include "harness/base/shuffle.h"

namespace ablate::probes {
namespace {

/// A text and the masks of a block that are left, those that are filled first in front.
struct FilledText {
  Sample sample;
  std::vector<std::size_t> open;
  std::size_t masks = 0;                // of the block, at its start
  std::vector<std::size_t> later = {};  // those of the blocks after it, ascending
};

/// Texts that are filled together.
class MaskedGroup {
 public:
  MaskedGroup(const TokenSource& source, UnmaskingOrder order,
              std::span<const UnfinishedText> texts, std::size_t first)
      : source_(source), order_(order), first_(first) {
    texts_.reserve(texts.size());
    for (const UnfinishedText& text : texts) {
      texts_.push_back({{text.tokens, text.given}, {}, 0, masks_of(text.tokens)});
    }
  }

  /// Opens the next block of each text; false where none has one.
  bool open_block() {
    bool opened = false;
    for (std::size_t i = 0; i < texts_.size(); ++i) {
      FilledText& text = texts_[i];
      auto end = text.later.end();
      if (source_.block > 0 && !text.later.empty())
        end = std::ranges::find_if(text.later, [&](std::size_t position) {
          return position / source_.block != text.later.front() / source_.block;
        });
      text.open.assign(text.later.begin(), end);
      text.later.erase(text.later.begin(), end);
      text.masks = text.open.size();
      // Keyed by the block's first mask, so that a text of one block has the order that it always had.
      Rng rng = rng_of(i).fork("order");
      if (source_.block > 0 && !text.open.empty()) rng = rng.fork(text.open.front());
      if (order_ == UnmaskingOrder::random) shuffle(text.open, rng);
      opened = opened || !text.open.empty();
    }
    return opened;
  }

  std::size_t max_masks() const {
    std::size_t maximum = 0;
    for (const FilledText& text : texts_) maximum = std::max(maximum, text.masks);
    return maximum;
  }

  /// Round `round` of `rounds`.
  void step(std::size_t round, std::size_t rounds) {
    std::vector<std::span<const Token>> texts;
    std::vector<Place> places;
    texts.reserve(texts_.size());
    for (std::size_t i = 0; i < texts_.size(); ++i) {
      const FilledText& text = texts_[i];
      texts.emplace_back(text.sample.tokens);
      const std::size_t read = read_in(text, round, rounds);
      for (std::size_t j = 0; j < read; ++j) places.push_back({i, text.open[j]});
    }
    if (places.empty()) return;
    const std::vector<float> logits = source_.predict(texts, places);
    const std::size_t vocabulary = logits.size() / places.size();
    std::size_t row = 0;
    for (std::size_t i = 0; i < texts_.size(); ++i) {
      const std::size_t read = read_in(texts_[i], round, rounds);
      fill(i, filled_in(texts_[i], round, rounds),
           std::span(logits).subspan(row * vocabulary, read * vocabulary), vocabulary);
      row += read;
    }
  }

  void take(std::vector<Sample>& samples) {
    for (FilledText& text : texts_) samples.push_back(std::move(text.sample));
  }

 private:
  Rng rng_of(std::size_t text) const { return source_.rng.fork(first_ + text); }

  /// The number of a text's masks that are filled in a round.
  static std::size_t filled_in(const FilledText& text, std::size_t round, std::size_t rounds) {
    return (round + 1) * text.masks / rounds - round * text.masks / rounds;
  }

  /// The number of masks whose logits a round needs: those that are filled, or where confidence
  /// decides which these are, all that are left.
  std::size_t read_in(const FilledText& text, std::size_t round, std::size_t rounds) const {
    const std::size_t filled = filled_in(text, round, rounds);
    return order_ == UnmaskingOrder::confidence && filled > 0 ? text.open.size() : filled;
  }

  /// Which `count` of the open masks are filled; `logits`: as for fill().
  std::vector<std::size_t> chosen(std::size_t count, std::span<const float> logits,
                                  std::size_t vocabulary) const {
    std::vector<std::size_t> masks(logits.size() / vocabulary);
    std::iota(masks.begin(), masks.end(), std::size_t{0});
    if (order_ == UnmaskingOrder::confidence) {
      std::vector<double> confidence;  // the probability of the most probable token
      confidence.reserve(masks.size());
      for (const std::size_t mask : masks)
        confidence.push_back(
            1 /
            source_.own_distribution(logits.subspan(mask * vocabulary, vocabulary), false).total);
      std::stable_sort(masks.begin(), masks.end(),
                       [&](std::size_t a, std::size_t b) { return confidence[a] > confidence[b]; });
    }
    masks.resize(count);
    return masks;
  }

  /// Fills `count` masks of a text; `logits`: of its first open masks, [mask, vocabulary].
  void fill(std::size_t i, std::size_t count, std::span<const float> logits,
            std::size_t vocabulary) {
    FilledText& text = texts_[i];
    for (const std::size_t mask : chosen(count, logits, vocabulary)) {
      const std::size_t position = text.open[mask];
      Rng rng = rng_of(i).fork(position);
      const TokenDistribution distribution =
          source_.distribution(logits.subspan(mask * vocabulary, vocabulary), false);
      text.sample.tokens[position] =
          draw_from(distribution, source_.vocabulary, rng.uniform()).token;
    }
    std::erase_if(text.open,
                  [&](std::size_t position) { return text.sample.tokens[position] != mask_token; });
  }

  const TokenSource& source_;
  UnmaskingOrder order_;
  std::size_t first_;  // index of the first text among all texts
  std::vector<FilledText> texts_;
};

}  // namespace

std::vector<std::size_t> masks_of(std::span<const Token> tokens) {
  std::vector<std::size_t> masks;
  for (std::size_t i = 0; i < tokens.size(); ++i)
    if (tokens[i] == mask_token) masks.push_back(i);
  return masks;
}

std::vector<Sample> fill_masks(const TokenSource& source, const DrawTask& task,
                               UnmaskingOrder order) {
  std::vector<Sample> samples;
  samples.reserve(task.texts.size());
  for (std::size_t first = 0; first < task.texts.size(); first += kSamplesAtOnce) {
    const std::size_t count = std::min(kSamplesAtOnce, task.texts.size() - first);
    MaskedGroup group(source, order, task.texts.subspan(first, count), task.first + first);
    while (group.open_block()) {
      std::size_t rounds = group.max_masks();
      if (task.rounds > 0) rounds = std::min(rounds, static_cast<std::size_t>(task.rounds));
      for (std::size_t round = 0; round < rounds; ++round) group.step(round, rounds);
    }
    group.take(samples);
    task.progress(static_cast<double>(first + count) / static_cast<double>(task.texts.size()));
  }
  return samples;
}

}  // namespace ablate::probes

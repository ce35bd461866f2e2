#include "objectives/common/views/passages.h"

#include <algorithm>

namespace ablate::objectives {
namespace {

/// The ordinary tokens of a text, which a document's begin and end may stand around.
std::span<const Token> words_within(const Text& text) {
  std::span<const Token> words = text.tokens;
  if (!words.empty() && words.front() == begin_token) words = words.subspan(1);
  if (!words.empty() && words.back() == end_token) words = words.first(words.size() - 1);
  return words;
}

using TokenLists = std::vector<std::vector<Token>>;

/// Two neighbouring segments; none where the text does not go as far as the place that is drawn.
TokenLists segments_of(const PairedPassages& settings, std::span<const Token> words, Rng rng) {
  const auto start = static_cast<std::size_t>(rng.below(settings.starts));
  if (start + 2 * settings.passage > words.size()) return {};
  const auto first = words.subspan(start, settings.passage),
             second = words.subspan(start + settings.passage, settings.passage);
  return {{first.begin(), first.end()}, {second.begin(), second.end()}};
}

/// The passage that views are made of: as many words as asked for, or all that the text has.
std::span<const Token> passage_of(const PairedPassages& settings, std::span<const Token> words,
                                  Rng rng) {
  const std::size_t tokens = std::min(settings.passage, words.size());
  const std::int64_t starts = std::ssize(words) - static_cast<std::int64_t>(tokens) + 1;
  return words.subspan(static_cast<std::size_t>(rng.below(starts)), tokens);
}

/// The fraction of a passage's tokens that a view of it does not show at their places; of a crop, which
/// has less of them, the fraction that it leaves out.
double changed(std::span<const Token> view, std::span<const Token> passage) {
  std::size_t same = view.size() < passage.size() ? view.size() : 0;
  if (same == 0)
    for (std::size_t i = 0; i < view.size(); ++i) same += view[i] == passage[i] ? 1 : 0;
  return 1 - static_cast<double>(same) / static_cast<double>(passage.size());
}

/// Two views of one passage, and how much they change of it; none where the text has no words.
TokenLists views_of(const PairedPassages& settings, std::span<const Token> words, const Rng& rng,
                    Example& example) {
  if (words.empty()) return {};
  const auto passage = passage_of(settings, words, rng.fork(0));
  TokenLists views;
  for (const std::uint64_t side : {1, 2}) {
    views.push_back(view_of(passage, settings.augmentation, settings.rate, settings.vocabulary,
                            rng.fork(side)));
    if (settings.of == PassagesOf::augmented)
      example.facts.push_back({"changed", changed(views.back(), passage)});
  }
  return views;
}

/// The picture that a text begins with, and what stands behind it; none where either is not there. A picture
/// that the window cuts has nothing behind it.
TokenLists picture_and_text(const PairedPassages& settings, const Text& text) {
  if (text.marks.empty() || text.tokens.front() != begin_token) return {};
  std::size_t end = 1;
  while (end < text.tokens.size() && (text.marks[end] & patch_mark) != 0) ++end;
  if (end == 1 || end == text.tokens.size()) return {};
  const auto picture = text.tokens.subspan(1, end - 1);
  const auto words = text.tokens.subspan(end, std::min(settings.passage, text.tokens.size() - end));
  return {{picture.begin(), picture.end()}, {words.begin(), words.end()}};
}

/// Each passage behind a place for its state, with positions of its own; they do not see each other.
void read_apart(const TokenLists& passages, Example& example) {
  for (const auto& passage : passages) {
    const auto from = static_cast<std::int32_t>(example.inputs.size());
    const auto places = static_cast<std::int32_t>(passage.size() + 1);
    example.inputs.push_back(classify_token);
    example.inputs.insert(example.inputs.end(), passage.begin(), passage.end());
    for (std::int32_t place = 0; place < places; ++place) {
      example.positions.push_back(place);
      example.sees.push_back({from, from + places});
    }
  }
  const auto second = static_cast<std::int32_t>(passages.front().size() + 1);
  example.labels = {{.head = 0, .at = 0, .weight = 1, .partner = second}};
}

/// The passages of a text.
TokenLists passages_of(const PairedPassages& settings, const Text& text, const Rng& rng,
                       Example& example) {
  if (settings.of == PassagesOf::modalities) return picture_and_text(settings, text);
  const std::span<const Token> words = words_within(text);
  return settings.of_views() ? views_of(settings, words, rng, example)
                             : segments_of(settings, words, rng);
}

}  // namespace

Example pair_of_passages(const PairedPassages& settings, const Text& text, const Rng& rng) {
  Example example;
  TokenLists passages = passages_of(settings, text, rng, example);
  example.facts.insert(example.facts.begin(), {"pairs", passages.empty() ? 0.0 : 1.0});
  if (passages.empty()) return example;
  if (settings.hard_negatives)
    passages.push_back(unlike(passages[1], settings.vocabulary, rng.fork("hard_negatives")));
  read_apart(passages, example);
  return example;
}

}  // namespace ablate::objectives

#include "objectives/common/pairs/pairs.h"

#include <algorithm>
#include <optional>

namespace ablate::objectives {
namespace {

using Size = std::size_t;

constexpr int kTries = 10;              // attempts to find another document, as in BERT's code
constexpr double kShortFraction = 0.1;  // fraction of BERT's pairs that have a random length
constexpr std::int32_t kNowhere = -1;

/// The tokens of a segment, and the position in the text of the first of them, or of the first
/// token that they replace.
struct Stretch {
  Passage passage;
  std::int32_t place = kNowhere;

  Size size() const { return passage.tokens.size(); }

  Stretch part(Size first, Size count) const {
    Stretch result{{passage.tokens.subspan(first, count), passage.marks}, place};
    if (!passage.marks.empty()) result.passage.marks = passage.marks.subspan(first, count);
    if (place != kNowhere) result.place += static_cast<std::int32_t>(first);
    return result;
  }
};

/// A document's part without its begin token and its end token.
Stretch document_words(const Passage& document) {
  const Size size = document.tokens.size();
  const Size first = size > 0 && document.tokens.front() == begin_token;
  const Size last = size > first && document.tokens.back() == end_token;
  return Stretch{document, 0}.part(first, size - first - last);
}

/// The positions in [from, until) where a segment may start.
std::vector<Size> starts(const Stretch& words, bool by_sentence, Size from, Size until) {
  const bool any = !by_sentence || words.passage.marks.empty();
  std::vector<Size> result;
  for (Size i = from; i < until; ++i)
    if (any || words.passage.marks[i] & sentence_mark) result.push_back(i);
  return result;
}

Size one_of(const std::vector<Size>& choices, Rng& rng) {
  return choices[static_cast<Size>(rng.below(std::ssize(choices)))];
}

/// The mark of token i; without marks, every ordinary token is a word.
std::uint8_t mark_of(const Passage& passage, Size i) {
  if (!passage.marks.empty()) return passage.marks[i];
  return passage.tokens[i] < special_count ? special_mark : word_mark;
}

/// Builds the format of a pair: segments between classify and separator tokens.
class Format {
 public:
  explicit Format(const Text& text) : text_(text) {}

  Pair pair(const Stretch& first, const Stretch& second, Token label) && {
    frame(classify_token);
    if (!text_.tokens.empty() && text_.tokens.front() == begin_token) add(edge(0));
    add(first);
    if (second.size() > 0) {
      frame(separator_token);
      pair_.second = pair_.tokens.size();
      add(second);
    }
    if (!text_.tokens.empty() && text_.tokens.back() == end_token)
      add(edge(text_.tokens.size() - 1));
    frame(separator_token);
    pair_.label = label;
    return std::move(pair_);
  }

 private:
  Stretch edge(Size at) const { return Stretch{{text_.tokens, text_.marks}, 0}.part(at, 1); }

  void frame(Token token) {
    pair_.tokens.push_back(token);
    if (!text_.marks.empty()) pair_.marks.push_back(special_mark);
    pair_.places.push_back(kNowhere);
  }

  void add(const Stretch& stretch) {
    const Passage& passage = stretch.passage;
    for (Size i = 0; i < stretch.size(); ++i) {
      pair_.tokens.push_back(passage.tokens[i]);
      if (!text_.marks.empty()) pair_.marks.push_back(mark_of(passage, i));
      pair_.places.push_back(
          stretch.place == kNowhere ? kNowhere : stretch.place + static_cast<std::int32_t>(i));
    }
  }

  const Text& text_;
  Pair pair_;
};

/// A random segment of another document, as long as `replaced`; nothing if ten documents in a row
/// have none.
std::optional<Stretch> balanced_segment(const PairSettings& settings, const Text& text,
                                        const Stretch& replaced, Rng rng) {
  if (!text.other_document || text.documents < 2) return std::nullopt;
  for (int tries = 0; tries < kTries; ++tries) {
    std::int64_t number = rng.below(text.documents - 1);
    number += number >= text.document;
    const Stretch words = document_words(text.other_document(number));
    if (words.size() < replaced.size()) continue;
    const std::vector<Size> possible =
        starts(words, settings.by_sentence, 0, words.size() - replaced.size() + 1);
    if (possible.empty()) continue;
    Stretch found = words.part(one_of(possible, rng), replaced.size());
    found.place = replaced.place;
    return found;
  }
  return std::nullopt;
}

Pair balanced(const PairSettings& settings, const Text& text, const Stretch& words, Rng rng) {
  const bool broken = rng.probability(0.5);
  const std::vector<Size> cuts = starts(words, settings.by_sentence, 1, words.size());
  if (cuts.empty()) return Format(text).pair(words, {}, unpaired_label);
  const Size cut = one_of(cuts, rng);
  const Stretch a = words.part(0, cut), b = words.part(cut, words.size() - cut);
  if (settings.kind == PairKind::none) return Format(text).pair(a, b, unpaired_label);
  if (settings.kind == PairKind::sop)
    return broken ? Format(text).pair(b, a, broken_label) : Format(text).pair(a, b, follows_label);
  // Searched for both labels: whether another document has a segment must not depend on the label.
  const std::optional<Stretch> other = balanced_segment(settings, text, b, rng);
  if (!other) return Format(text).pair(words, {}, unpaired_label);
  return broken ? Format(text).pair(a, *other, broken_label)
                : Format(text).pair(a, b, follows_label);
}

/// The positions where the sentences of a stretch start, followed by its end. Tokens before the
/// first sentence mark are the rest of a sentence and count as one.
std::vector<Size> bounds_of(const Stretch& words, bool by_sentence) {
  std::vector<Size> bounds = {0};
  for (const Size start : starts(words, by_sentence, 1, words.size())) bounds.push_back(start);
  bounds.push_back(words.size());
  return bounds;
}

/// Sentences of a random document, from a random one on, until they have `wanted` tokens. Tries ten
/// times to find a document other than the text's own.
Stretch reference_segment(const PairSettings& settings, const Text& text, Size wanted, Rng rng) {
  Stretch words;
  for (int tries = 0; tries < kTries; ++tries) {
    const std::int64_t number = rng.below(text.documents);
    words = document_words(text.other_document(number));
    if (number != text.document && words.size() > 0) break;
  }
  const std::vector<Size> bounds = bounds_of(words, settings.by_sentence);
  const auto from = static_cast<Size>(rng.below(std::ssize(bounds) - 1));
  Size until = from + 1;
  while (until + 1 < bounds.size() && bounds[until] - bounds[from] < wanted) ++until;
  Stretch found = words.part(bounds[from], bounds[until] - bounds[from]);
  found.place = kNowhere;
  return found;
}

/// Drops tokens from the front or the back of the longer segment until both together have at most
/// `maximum` tokens.
void truncate(Stretch& a, Stretch& b, Size maximum, Rng rng) {
  while (a.size() + b.size() > maximum) {
    Stretch& longer = a.size() > b.size() ? a : b;
    longer = longer.part(rng.probability(0.5) ? 1 : 0, longer.size() - 1);
  }
}

/// One of the document's pairs, each equally likely: rejection sampling accepts a draw of the
/// algorithm in proportion to the number of pairs it made.
ReferencePair one_reference_pair(std::span<const Size> sentences, Size maximum, PairKind kind,
                                 Rng rng) {
  for (;;) {
    const std::vector<ReferencePair> pairs =
        reference_pairs(sentences, maximum, kind, rng.fork(rng.next()));
    const auto at = static_cast<Size>(rng.below(std::ssize(sentences)));
    if (at < pairs.size()) return pairs[at];
  }
}

Pair reference(const PairSettings& settings, const Text& text, const Stretch& words, Rng rng) {
  const bool readable = text.other_document && text.documents > 0;
  if (words.size() < 2 || !readable) return Format(text).pair(words, {}, unpaired_label);
  const std::vector<Size> bounds = bounds_of(words, settings.by_sentence);
  std::vector<Size> sentences;
  for (Size i = 0; i + 1 < bounds.size(); ++i) sentences.push_back(bounds[i + 1] - bounds[i]);
  const ReferencePair chosen =
      one_reference_pair(sentences, words.size(), settings.kind, rng.fork(0));
  const auto part = [&](Size from, Size until) {
    return words.part(bounds[from], bounds[until] - bounds[from]);
  };
  Stretch a = part(chosen.first, chosen.cut);
  const Size wanted = chosen.target > a.size() ? chosen.target - a.size() : 0;
  Stretch b = chosen.random ? reference_segment(settings, text, wanted, rng.fork(1))
                            : part(chosen.cut, chosen.last);
  if (b.size() == 0) return Format(text).pair(words, {}, unpaired_label);
  if (chosen.swapped) std::swap(a, b);
  truncate(a, b, words.size(), rng.fork(2));
  return Format(text).pair(a, b, chosen.random || chosen.swapped ? broken_label : follows_label);
}

}  // namespace

Pair paired(const PairSettings& settings, const Text& text, Rng rng) {
  const Stretch words = document_words({text.tokens, text.marks});
  const bool as_reference =
      settings.kind != PairKind::none && settings.negatives == Negatives::reference;
  return (as_reference ? reference : balanced)(settings, text, words, rng);
}

std::vector<ReferencePair> reference_pairs(std::span<const Size> sentences, Size maximum,
                                           PairKind kind, Rng rng) {
  Size target = maximum;
  if (rng.probability(kShortFraction))
    target = 2 + static_cast<Size>(rng.below(static_cast<std::int64_t>(maximum) - 1));
  std::vector<ReferencePair> pairs;
  for (Size first = 0; first < sentences.size();) {
    Size last = first, length = 0;
    while (last < sentences.size() && length < target) length += sentences[last++];
    const auto count = static_cast<std::int64_t>(last - first);
    ReferencePair pair{.first = first, .cut = first + 1, .last = last, .target = target};
    if (count > 1) pair.cut = first + 1 + static_cast<Size>(rng.below(count - 1));
    const bool broken = rng.probability(0.5);
    pair.random = count == 1 || (kind == PairKind::nsp && broken);
    pair.swapped = !pair.random && kind == PairKind::sop && broken;
    pairs.push_back(pair);
    first = pair.random ? pair.cut : last;
  }
  return pairs;
}

}  // namespace ablate::objectives

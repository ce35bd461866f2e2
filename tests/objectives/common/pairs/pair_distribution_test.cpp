// The exact predictor of pairs against enumeration of every label, every text and every way to hide
// it.

#include "objectives/common/pairs/pair_distribution.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/harness/contract/tiny_chain.h"

namespace ablate::objectives {
namespace {

constexpr TokenChannel kChannel = {.rate = 0.4, .mask = 0.6, .random = 0.25, .ordinary = 3};
constexpr Token b = begin_token, e = end_token;

using Tokens = std::vector<Token>;

Tokens words_of(const Tokens& text) {
  Tokens words;
  for (const Token token : text)
    if (token >= special_count) words.push_back(token);
  return words;
}

/// The text with its words replaced by these.
Tokens refilled(const Tokens& text, const Tokens& words) {
  Tokens result = text;
  auto next = words.begin();
  for (Token& token : result)
    if (token >= special_count) token = *next++;
  return result;
}

Tokens joined(const Tokens& a, const Tokens& c) {
  Tokens result = a;
  result.insert(result.end(), c.begin(), c.end());
  return result;
}

/// P(shown token | word), for a word that is known to be hidden or may be.
double channel_probability(Token shown, Token word, bool hidden) {
  const double same = shown == word ? 1 : 0;
  const double of_hidden = shown == mask_token
                               ? kChannel.mask
                               : kChannel.random / kChannel.ordinary + kChannel.keep() * same;
  return hidden ? kChannel.rate * of_hidden
                : (1 - kChannel.rate) * same + kChannel.rate * of_hidden;
}

/// The chain, whose words also say whether they end a sentence, as those of the second state do: word
/// w becomes w where they do not, and w + 3 where they do.
Chain with_ends(const Chain& chain) {
  Chain marked = chain;
  marked.ordinary *= 2;
  const auto words = static_cast<std::size_t>(chain.ordinary);
  marked.emission.assign(chain.emission.size() * 2, 0.0);
  for (std::size_t z = 0; z < chain.emission.size() / words; ++z)
    for (std::size_t word = 0; word < words; ++word)
      marked.emission[z * 2 * words + word + (z % 3 == 1 ? words : 0)] =
          chain.emission[z * words + word];
  return marked;
}

bool ends(Token marked_word) { return marked_word >= special_count + 3; }

/// P(the text is cut there | its marked words), where a cut is behind any word that ends a sentence;
/// a text of one segment: that it cannot be cut.
double cut_probability(const Tokens& words, std::size_t cut) {
  const auto count = std::count_if(words.begin(), words.end() - 1, ends);
  if (cut == words.size()) return count == 0;
  return ends(words[cut - 1]) ? 1 / static_cast<double>(count) : 0;
}

/// Enumerates the texts that a corrupted pair may have been made from.
class Enumeration {
 public:
  Enumeration(const Chain& chain, const PairMaking& making, const Tokens& text,
              std::size_t first_words)
      : chain_(making.at_sentences ? with_ends(chain) : chain),
        making_(making),
        text_(text),
        first_(first_words) {}

  /// P(shown, label[, word `at` is hidden and equals `is`]), with words in the order shown.
  double joint(const Tokens& shown, Token label, std::ptrdiff_t at = -1, Token is = -1) const {
    double total = 0;
    for (const Tokens& words : fillings(chain_, shown_pattern(shown))) {
      if (at >= 0 && is >= 0 && plain(words[static_cast<std::size_t>(at)]) != is) continue;
      double probability = of_words(words, label);
      for (std::size_t i = 0; i < words.size(); ++i)
        probability *=
            channel_probability(shown[i], plain(words[i]), static_cast<std::ptrdiff_t>(i) == at);
      total += probability;
    }
    return total;
  }

 private:
  /// The word without what it says of its sentence.
  static Token plain(Token word) { return ends(word) ? word - 3 : word; }

  static Tokens shown_pattern(const Tokens& shown) { return Tokens(shown.size(), 16); }

  /// P(the words of the pair, in the order shown | label).
  double of_words(const Tokens& words, Token label) const {
    const auto middle = words.begin() + static_cast<std::ptrdiff_t>(first_);
    const Tokens first(words.begin(), middle), second(middle, words.end());
    if (label == follows_label) return of_text(words, first.size());
    if (making_.kind == PairKind::sop) return of_text(joined(second, first), second.size());
    double of_first = 0, of_length = 0;
    for (const Tokens& unseen : fillings(chain_, second)) {
      of_first += window_probability(chain_, refilled(text_, joined(first, unseen)));
      of_length += window_probability(chain_, unseen);
    }
    return of_first * window_probability(chain_, second) / of_length;
  }

  /// P(the text's words, and that it is cut there).
  double of_text(const Tokens& words, std::size_t cut) const {
    return window_probability(chain_, refilled(text_, words)) *
           (making_.at_sentences ? cut_probability(words, cut) : 1);
  }

  Chain chain_;
  PairMaking making_;
  const Tokens& text_;
  std::size_t first_;
};

/// The pair's inputs for these words, and the positions of the words.
struct Laid {
  Example example;
  std::vector<std::size_t> at;
};

Laid laid(const Tokens& text, const Tokens& words, const Tokens& shown, std::size_t first_words) {
  Laid laid;
  Tokens& inputs = laid.example.inputs;
  Tokens& targets = laid.example.targets;
  const auto add = [&](Token target, Token input) {
    targets.push_back(target);
    inputs.push_back(input);
  };
  add(classify_token, classify_token);
  if (text.front() == b) add(b, b);
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i == first_words) add(separator_token, separator_token);
    laid.at.push_back(inputs.size());
    add(words[i], shown[i]);
  }
  if (text.back() == e) add(e, e);
  add(separator_token, separator_token);
  laid.example.weights.assign(inputs.size(), 0.0f);
  return laid;
}

Tokens corrupted(const Tokens& words, Rng rng) {
  Tokens shown = words;
  for (Token& token : shown) {
    const double draw = rng.uniform();
    if (draw < 0.35) token = mask_token;
    if (draw > 0.8) token = special_count + static_cast<Token>(rng.below(3));
  }
  return shown;
}

void expect_as_enumerated(const PairMaking& making, const Tokens& text, std::size_t first_words,
                          std::uint64_t seed) {
  Chain chain = tiny_chain(seed);
  chain.sentence_ends = {0, 1, 0};
  const Tokens words = words_of(text), shown = corrupted(words, Rng(seed + 7));
  const Enumeration enumeration(chain, making, text, first_words);
  Laid pair = laid(text, words, shown, first_words);
  const bool labelled = making.kind != PairKind::none && first_words < words.size();

  double expected = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    pair.example.weights[pair.at[i]] = i % 2 == 0 ? 1.0f : 0.5f;
    double part = 0, total = 0;
    for (Token label = follows_label; label <= (labelled ? broken_label : follows_label); ++label) {
      const auto at = static_cast<std::ptrdiff_t>(i);
      part += enumeration.joint(shown, label, at, words[i]);
      total += enumeration.joint(shown, label, at);
    }
    expected -= pair.example.weights[pair.at[i]] * std::log(part / total);
  }
  EXPECT_NEAR(pair_token_optimum(kChannel, making, chain, pair.example).total, expected, 1e-10);
  if (!labelled) return;

  const double follows = enumeration.joint(shown, follows_label);
  const double broken = enumeration.joint(shown, broken_label);
  for (const Token label : {follows_label, broken_label}) {
    pair.example.labels = {{.head = 1, .at = 0, .target = label, .weight = 0.5f}};
    const Loss loss = pair_label_optimum(kChannel, making, chain, pair.example);
    EXPECT_NEAR(loss.total,
                -0.5 * std::log((label == broken_label ? broken : follows) / (follows + broken)),
                1e-10);
    EXPECT_EQ(loss.weight, 0.5);
  }
}

const std::vector<Tokens> kTexts = {{16, 17, 18, 16},   {b, 18, 17, 16}, {16, 18, 17, e},
                                    {b, 16, 16, 17, e}, {17, 18},        {b, 18, 17, e}};

TEST(PairDistribution, IsWhatEnumerationGives) {
  for (const PairKind kind : {PairKind::none, PairKind::nsp, PairKind::sop})
    for (const Tokens& text : kTexts)
      for (std::size_t first = 1; first <= words_of(text).size(); ++first)
        for (const std::uint64_t seed : {1u, 2u})
          expect_as_enumerated({kind, false}, text, first, seed);
}

TEST(PairDistribution, KnowsThatPairsAreCutAtSentences) {
  for (const PairKind kind : {PairKind::none, PairKind::sop})
    for (const Tokens& text : kTexts)
      for (std::size_t first = 1; first <= words_of(text).size(); ++first)
        for (const std::uint64_t seed : {1u, 2u})
          expect_as_enumerated({kind, true}, text, first, seed);
}

TEST(PairDistribution, KnowsNothingOfALabelWhereNothingIsShown) {
  // All masked, with neither begin nor end of the document visible: both orders are equally likely.
  const Chain chain = tiny_chain(3);
  Laid pair = laid({16, 17, 18}, {16, 17, 18}, Tokens(3, mask_token), 1);
  pair.example.labels = {{.head = 1, .at = 0, .target = broken_label}};
  EXPECT_NEAR(pair_label_optimum(kChannel, {PairKind::sop}, chain, pair.example).total, std::log(2),
              1e-12);
  pair.example.labels.clear();
  EXPECT_EQ(pair_label_optimum(kChannel, {PairKind::sop}, chain, pair.example).weight, 0);
}

}  // namespace
}  // namespace ablate::objectives

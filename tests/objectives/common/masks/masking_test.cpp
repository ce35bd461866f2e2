#include "objectives/common/masks/masking.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "tests/objectives/example_of.h"
#include "tests/objectives/vectors.h"

namespace ablate::objectives {
namespace {

Masking masking_of(MaskUnit unit, bool exact) {
  Masking masking{.unit = unit, .exact = exact};
  if (unit == MaskUnit::span) masking.lengths = geometric_lengths(.2, 10);
  if (unit == MaskUnit::ngram) masking.lengths = harmonic_lengths(3);
  return masking;
}

constexpr MaskUnit kUnits[] = {MaskUnit::token, MaskUnit::whole_word, MaskUnit::span,
                               MaskUnit::ngram};

/// Marks of a text: words of one to three pieces.
std::vector<std::uint8_t> marks_of(const std::vector<Token>& tokens, Rng rng) {
  std::vector<std::uint8_t> marks;
  for (const Token token : tokens)
    marks.push_back(token < special_count ? special_mark
                    : rng.probability(.6) ? word_mark
                                          : no_mark);
  return marks;
}

TEST(Masking, CountsAsTheVectorsDo) {
  const Json cases = vectors_of("masked_lm").at("exact_count").at("cases");
  for (const Json& one : cases)
    EXPECT_EQ(exact_count(one["tokens"], one["rate"]), one["hidden"].get<std::int64_t>()) << one;
}

TEST(Masking, HidesPositionsInOrderAndNoSpecialOneWhateverTheUnit) {
  for (const MaskUnit unit : kUnits)
    for (const bool exact : {false, true})
      for (std::uint64_t i = 0; i < 300; ++i) {
        const std::vector<Token> tokens = text_of(i % 70 + (i % 3 == 0 ? 0 : 1));
        const std::vector<std::uint8_t> marks = marks_of(tokens, Rng(i));
        Text text{.tokens = tokens};
        if (i % 2) text.marks = marks;
        const double rate = Rng(i).fork(9).uniform();
        const Positions hidden = hide(masking_of(unit, exact), text, rate, Rng(i));
        EXPECT_TRUE(std::is_sorted(hidden.begin(), hidden.end(), std::less_equal<>()));
        for (const std::int32_t position : hidden)
          ASSERT_FALSE(text.is_special(static_cast<std::size_t>(position)));
        EXPECT_EQ(hidden, hide(masking_of(unit, exact), text, rate, Rng(i))) << "deterministic";
      }
}

TEST(Masking, HidesNothingOfSpecialTokensAloneAndAllAtRateOne) {
  const std::vector<Token> special = {end_token, begin_token}, words = text_of(60);
  for (const MaskUnit unit : kUnits)
    for (const bool exact : {false, true}) {
      const Masking masking = masking_of(unit, exact);
      EXPECT_TRUE(hide(masking, {}, 1, Rng(1)).empty());
      EXPECT_TRUE(hide(masking, {.tokens = special}, 1, Rng(1)).empty());
      EXPECT_EQ(std::ssize(hide(masking, {.tokens = words}, 1, Rng(1))),
                hideable({.tokens = words}));
    }
}

TEST(Masking, HidesAsManyTokensWhateverTheUnitWhereTokensAreWords) {
  const std::vector<Token> tokens = text_of(200);
  const Text text{.tokens = tokens};
  for (const double rate : {.05, .15, .5, .95})
    for (const bool exact : {false, true})
      for (std::uint64_t i = 0; i < 50; ++i) {
        const auto count = hide(masking_of(MaskUnit::token, exact), text, rate, Rng(i)).size();
        for (const MaskUnit unit : kUnits)
          EXPECT_EQ(hide(masking_of(unit, exact), text, rate, Rng(i)).size(), count);
      }
}

TEST(Masking, HidesTheRatesShareOfWordsOfManyPieces) {
  const std::vector<Token> tokens = text_of(512);
  const std::vector<std::uint8_t> marks = marks_of(tokens, Rng(1));
  const Text text{.tokens = tokens, .marks = marks};
  const auto size = static_cast<double>(hideable(text));
  constexpr int kTexts = 400;
  for (const MaskUnit unit : kUnits)
    for (const bool exact : {false, true})
      for (const double rate : {.15, .5}) {
        double hidden = 0;
        for (std::uint64_t i = 0; i < kTexts; ++i)
          hidden += static_cast<double>(hide(masking_of(unit, exact), text, rate, Rng(i)).size());
        // A word has 1.7 pieces on average and at most 8: 5 sigma for words of 3 pieces.
        const double sigma = std::sqrt(kTexts * size * rate * (1 - rate) * 3);
        EXPECT_NEAR(hidden, kTexts * size * rate, exact ? kTexts * 0.5 : 5 * sigma)
            << static_cast<int>(unit) << " " << exact << " " << rate;
      }
}

TEST(Masking, HidesWordsWholeOrNotAtAll) {
  const std::vector<Token> tokens = text_of(120);
  for (const bool exact : {false, true})
    for (const MaskUnit unit : {MaskUnit::whole_word, MaskUnit::ngram}) {
      for (std::uint64_t i = 0; i < 200; ++i) {
        const std::vector<std::uint8_t> marks = marks_of(tokens, Rng(i));
        const Text text{.tokens = tokens, .marks = marks};
        const Positions hidden = hide(masking_of(unit, exact), text, .3, Rng(i));
        for (const Word& word : words_of(text)) {
          std::int32_t of_word = 0;
          for (std::int32_t at = word.first; at < word.end; ++at)
            of_word += std::binary_search(hidden.begin(), hidden.end(), at);
          EXPECT_TRUE(of_word == 0 || of_word == word.size());
        }
      }
    }
}

TEST(Masking, HidesSpansThatAreLongerThanChanceMakesThem) {
  const std::vector<Token> tokens = text_of(512);
  const auto runs = [&](MaskUnit unit) {
    double count = 0, hidden = 0;
    for (std::uint64_t i = 0; i < 200; ++i) {
      const Positions positions = hide(masking_of(unit, true), {.tokens = tokens}, .15, Rng(i));
      for (std::size_t k = 0; k < positions.size(); ++k)
        count += k == 0 || positions[k] != positions[k - 1] + 1;
      hidden += static_cast<double>(positions.size());
    }
    return hidden / count;
  };
  EXPECT_NEAR(runs(MaskUnit::token), 1 / .85, .02);  // a run continues with probability rate
  EXPECT_GT(runs(MaskUnit::ngram), 1.6);             // (1 * 6 + 2 * 3 + 3 * 2) / 11 plus noise
  EXPECT_LT(runs(MaskUnit::ngram), 2.1);
  EXPECT_GT(runs(MaskUnit::span), 3.3);  // 3.8 minus spans cut at special tokens, plus noise
  EXPECT_LT(runs(MaskUnit::span), 4.6);
}

/// Sum over outcomes of (seen - expected)^2 / expected, all equally likely.
template <class Key>
double chi_squared(const std::map<Key, int>& seen, double draws, double outcomes) {
  const double expected = draws / outcomes;
  double sum = (outcomes - static_cast<double>(seen.size())) * expected;
  for (const auto& [key, count] : seen) sum += (count - expected) * (count - expected) / expected;
  return sum;
}

TEST(Masking, DrawsEverySetOfWordsEquallyOften) {
  // Six words of two pieces, two of which fit: 15 sets. The 99.9 % point of chi-squared with 14
  // degrees of freedom is 36.1.
  const std::vector<Token> tokens(12, 20);
  std::vector<std::uint8_t> marks;
  for (int i = 0; i < 12; ++i) marks.push_back(i % 2 == 0 ? word_mark : no_mark);
  const Text text{.tokens = tokens, .marks = marks};
  std::map<Positions, int> seen;
  for (std::uint64_t i = 0; i < 15000; ++i)
    ++seen[hide(masking_of(MaskUnit::whole_word, true), text, .35, Rng(i))];
  EXPECT_EQ(seen.size(), 15u);
  EXPECT_LT(chi_squared(seen, 15000, 15), 36.1);
}

TEST(Masking, DrawsEveryMaskOfTokensEquallyOftenAtOneHalf) {
  // 2^5 sets; the 99.9 % point of chi-squared with 31 degrees of freedom is 61.1.
  const std::vector<Token> tokens = {16, end_token, begin_token, 17, 18, 19, 20};
  std::map<Positions, int> seen;
  for (std::uint64_t i = 0; i < 32000; ++i) ++seen[hide_each({.tokens = tokens}, .5, Rng(i))];
  EXPECT_EQ(seen.size(), 32u);
  EXPECT_LT(chi_squared(seen, 32000, 32), 61.1);
}

TEST(Masking, DrawsEverySubsetOfAGivenSizeEquallyOften) {
  // 2 of 5: 10 sets; the 99.9 % point of chi-squared with 9 degrees of freedom is 27.9.
  const Positions all = {1, 3, 4, 8, 9};
  std::map<Positions, int> seen;
  for (std::uint64_t i = 0; i < 10000; ++i) ++seen[choose_exactly(all, 2, Rng(i))];
  EXPECT_EQ(seen.size(), 10u);
  EXPECT_LT(chi_squared(seen, 10000, 10), 27.9);
  EXPECT_EQ(choose_exactly(all, 5, Rng(1)), all);
  EXPECT_TRUE(choose_exactly(all, 0, Rng(1)).empty());
}

}  // namespace
}  // namespace ablate::objectives

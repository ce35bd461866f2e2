#include "objectives/common/masks/mask_units.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "tests/objectives/vectors.h"

namespace ablate::objectives {
namespace {

const Json& vectors() {
  static const Json read = vectors_of("masked_lm");
  return read;
}

/// The cases of one algorithm; fails if there are none.
const Json& cases(const char* name) {
  const Json& found = vectors().at(name).at("cases");
  EXPECT_FALSE(found.empty()) << name;
  return found;
}

std::vector<Word> words_in(const Json& one) {
  std::vector<Word> words;
  for (const Json& word : one.at("words")) words.push_back({word.at(0), word.at(1)});
  return words;
}

TEST(MaskUnits, GroupPiecesIntoWordsAsTheVectorsDo) {
  for (const Json& one : cases("words")) {
    const std::vector<int> starts = one["starts"], special = one["special"];
    std::vector<std::uint8_t> marks;
    for (std::size_t i = 0; i < starts.size(); ++i)
      marks.push_back(static_cast<std::uint8_t>((starts[i] ? word_mark : no_mark) |
                                                (special[i] ? special_mark : no_mark)));
    const std::vector<Token> tokens(marks.size(), 20);
    Json words = Json::array();
    for (const Word& word : words_of({.tokens = tokens, .marks = marks}))
      words.push_back({word.first, word.end});
    EXPECT_EQ(words, one["words"]) << one;
  }
}

TEST(MaskUnits, TakeEveryTokenForAWordWhereNoneIsMarked) {
  const std::vector<Token> tokens = {16, 17, end_token, begin_token, 18};
  const std::vector<std::uint8_t> marks = {no_mark, no_mark, special_mark, special_mark, no_mark};
  for (const Text& text : {Text{.tokens = tokens}, Text{.tokens = tokens, .marks = marks}}) {
    EXPECT_FALSE(knows_words(text));
    const std::vector<Word> words = words_of(text);
    ASSERT_EQ(words.size(), 3u);
    EXPECT_EQ(words[2].first, 4);
    for (const Word& word : words) EXPECT_EQ(word.size(), 1);
  }
  EXPECT_TRUE(words_of({}).empty());
}

TEST(MaskUnits, HideWholeWordsAsTheVectorsDo) {
  for (const Json& one : cases("whole_words")) {
    const std::vector<std::int32_t> order = one["order"];
    EXPECT_EQ(Json(choose_words(words_in(one), order, one["budget"])), one["hidden"]) << one;
  }
}

TEST(MaskUnits, HideNGramsAsTheVectorsDo) {
  for (const Json& one : cases("ngrams")) {
    const std::vector<std::int32_t> order = one["order"];
    const std::vector<std::int64_t> lengths = one["lengths"];
    EXPECT_EQ(Json(choose_ngrams(words_in(one), order, lengths, one["budget"])), one["hidden"])
        << one;
  }
}

TEST(MaskUnits, HideSpansAsTheVectorsDo) {
  for (const Json& one : cases("spans")) {
    std::size_t next = 0;
    const auto draw = [&]() -> SpanDraw {
      const Json& given = one.at("draws").at(next++);
      return {given.at(0), given.at(1)};
    };
    EXPECT_EQ(Json(choose_spans(words_in(one), one["size"], draw, one["budget"])), one["hidden"])
        << one;
    EXPECT_EQ(next, one["draws"].size()) << "all draws are used, and no more";
  }
}

TEST(MaskUnits, FillWhatNGramsLeaveWithSingleWords) {
  const std::vector<Word> words = {{0, 1}, {1, 2}, {2, 3}, {3, 4}};
  // Word 1 takes 1 and 2; the n-grams of 0 and 2 overlap it; word 3 fits, then word 0 alone.
  EXPECT_EQ(choose_ngrams(words, std::vector<std::int32_t>{1, 0, 2, 3},
                          std::vector<std::int64_t>{2, 2, 2, 1}, 4),
            (Positions{0, 1, 2, 3}));
}

TEST(MaskUnits, LeaveOutAWordThatNeverFits) {
  const std::vector<Word> words = {{0, 3}, {3, 5}};
  const std::vector<std::int32_t> order = {0, 1};
  EXPECT_EQ(choose_words(words, order, 2), (Positions{3, 4}));
  EXPECT_TRUE(choose_words(words, order, 1).empty());
  EXPECT_TRUE(choose_ngrams(words, order, std::vector<std::int64_t>{1, 1}, 1).empty());
}

TEST(MaskUnits, HaveLengthsOfTheLawsInTheVectors) {
  for (const auto& [distribution, name] :
       {std::pair{geometric_lengths(.2, 10), "span_length_shares"},
        std::pair{harmonic_lengths(3), "ngram_length_shares"}}) {
    const std::vector<double> probabilities = vectors().at(name);
    ASSERT_EQ(distribution.size(), probabilities.size());
    double sum = 0;
    for (std::size_t i = 0; i < probabilities.size(); ++i)
      EXPECT_NEAR(distribution[i], sum += probabilities[i], 1e-12);
    EXPECT_NEAR(sum, 1, 1e-12);
  }
}

TEST(MaskUnits, HaveSpansOfTheMeanThatThePaperGives) {
  const std::vector<double> distribution = geometric_lengths(.2, 10);
  double mean = 1;  // the sum over n of P(length > n)
  for (const double sum : distribution) mean += 1 - sum;
  EXPECT_NEAR(mean, 3.8, 0.005);  // Joshi et al. 2020, section 3.1
}

TEST(MaskUnits, TakeTheLengthWhoseProbabilityADrawFallsIn) {
  const std::vector<double> distribution = {0.5, 0.75, 1};
  for (const auto& [draw, length] :
       {std::pair{0.0, 1}, {0.49, 1}, {0.5, 2}, {0.74, 2}, {0.75, 3}, {0.9999999, 3}})
    EXPECT_EQ(length_at(distribution, draw), length) << draw;
  EXPECT_EQ(length_at(std::vector<double>{0.3, 0.9999999999999999}, 0.99999999999999995), 2)
      << "a sum that rounds to less than 1";
}

}  // namespace
}  // namespace ablate::objectives

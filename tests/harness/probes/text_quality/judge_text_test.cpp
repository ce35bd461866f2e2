// What a judge reads and what it is compared with: one distribution, and nothing in both.

#include "harness/probes/text_quality/judge_text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace ablate::probes {
namespace {

constexpr Token kFirst = special_count;  // number 0

/// Documents of three tokens, the first of which is the document's number. Each token's mark is its
/// place in the part, modulo 200.
struct NumberedPart {
  explicit NumberedPart(Token documents) {
    for (Token i = 0; i < documents; ++i)
      tokens.insert(tokens.end(), {begin_token, kFirst + i, end_token});
    for (std::size_t i = 0; i < tokens.size(); ++i)
      marks.push_back(static_cast<std::uint8_t>(i % 200));
    part = {.tokens = tokens, .marks = marks, .documents = documents};
  }

  std::vector<Token> tokens;
  std::vector<std::uint8_t> marks;
  data::Part part;
};

std::vector<Token> numbers_of(const JudgeText& text) {
  std::vector<Token> numbers;
  for (const auto& reference : text.references()) numbers.push_back(reference.at(1) - kFirst);
  return numbers;
}

TEST(JudgeText, KeepsAFifthForComparisonAndEveryDocumentOnce) {
  const NumberedPart given(101);
  const JudgeText text(given.part);
  EXPECT_EQ(text.trained().documents, 80);
  EXPECT_EQ(text.references().size(), 21u);
  std::vector<Token> all = numbers_of(text);
  for (const Token token : text.trained().tokens)
    if (token >= kFirst) all.push_back(token - kFirst);
  std::ranges::sort(all);
  std::vector<Token> expected(101);
  std::iota(expected.begin(), expected.end(), Token{0});
  EXPECT_EQ(all, expected);
}

// Two files of 500 documents each, one after the other. Of 200 references drawn without replacement,
// 100 are of the second file in expectation, with a standard deviation of 6.3: within 4 of them.
TEST(JudgeText, TakesReferencesFromEveryFileOfACorpusAlike) {
  const NumberedPart given(1000);
  const JudgeText text(given.part);
  const std::vector<Token> numbers = numbers_of(text);
  const auto second = std::ranges::count_if(numbers, [](Token number) { return number >= 500; });
  EXPECT_NEAR(static_cast<double>(second), 100, 25);
}

TEST(JudgeText, KeepsTheMarksOfTokens) {
  const NumberedPart given(50);
  const JudgeText text(given.part);
  const data::Part trained = text.trained();
  ASSERT_EQ(trained.marks.size(), trained.tokens.size());
  for (std::size_t i = 1; i < trained.tokens.size(); i += 3)
    EXPECT_EQ(trained.marks[i], (3 * (trained.tokens[i] - kFirst) + 1) % 200);
}

TEST(JudgeText, IsAlwaysTheSame) {
  const NumberedPart given(40);
  EXPECT_EQ(JudgeText(given.part).references(), JudgeText(given.part).references());
}

TEST(JudgeText, IsEmptyOfNothing) {
  const JudgeText text(data::Part{});
  EXPECT_EQ(text.trained().documents, 0);
  EXPECT_TRUE(text.references().empty());
}

}  // namespace
}  // namespace ablate::probes

// Counts of n-grams on texts small enough to count by hand.

#include "harness/probes/generation/variety.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/rng.h"

namespace ablate::probes {
namespace {

using ::testing::ElementsAre;

using Texts = std::vector<std::vector<Token>>;

TEST(Variety, IsFullWhereNothingRepeats) {
  const Variety v = variety(Texts{{20, 21, 22, 23, 24}, {30, 31, 32}}, 8);
  EXPECT_THAT(v.distinct.value(), ElementsAre(1, 1, 1));
  EXPECT_EQ(v.repetition, 0);
}

TEST(Variety, CountsEachDistinctRunOnceOverAllTexts) {
  const Variety v = variety(Texts{{20, 21, 20, 21}, {20, 21}}, 6);
  EXPECT_DOUBLE_EQ(v.distinct->at(0), 2.0 / 6);
  EXPECT_DOUBLE_EQ(v.distinct->at(1), 2.0 / 4);  // 20 21, 21 20
  EXPECT_DOUBLE_EQ(v.distinct->at(2), 2.0 / 2);
}

TEST(Variety, CountsDistinctRunsInTheFirstTokensAlone) {
  const Texts few = {{20, 21, 20}, {21}}, more = {{20, 21, 20}, {21, 30, 31}, {32, 33}};
  EXPECT_EQ(variety(more, 4).distinct, variety(few, 4).distinct);
  EXPECT_NE(variety(more, 5).distinct, variety(few, 4).distinct);
  EXPECT_FALSE(variety(few, 5).distinct.has_value()) << "there are but four tokens";
}

// 4,000 random tokens of 50 against the first 1,000 of them: without a fixed number of tokens the
// longer sample would look four times less varied.
TEST(Variety, DoesNotDependOnTheAmountOfText) {
  Rng rng(1);
  Texts texts(200);
  for (auto& text : texts)
    for (int i = 0; i < 20; ++i) text.push_back(special_count + static_cast<Token>(rng.below(50)));
  const std::span<const std::vector<Token>> all(texts);
  EXPECT_EQ(variety(all, 1000).distinct, variety(all.first(50), 1000).distinct);
  EXPECT_LT(variety(all, 4000).distinct->at(0), variety(all, 1000).distinct->at(0) / 3);
}

TEST(Variety, CountsARunOfFourAsRepeatedWithinItsTextAlone) {
  EXPECT_DOUBLE_EQ(variety(Texts{{20, 20, 20, 20, 20, 20}}, 1).repetition, 2.0 / 3);
  EXPECT_DOUBLE_EQ(variety(Texts{{20, 21, 22, 23}, {20, 21, 22, 23}}, 1).repetition, 0);
}

// Not over all runs together, where a long text would count for more.
TEST(Variety, AveragesRepetitionOverTexts) {
  EXPECT_DOUBLE_EQ(
      variety(Texts{{20, 20, 20, 20, 20, 20}, {20, 21, 22, 23}, {20, 20}}, 1).repetition, 1.0 / 3);
}

TEST(Variety, LeavesSpecialIdsOut) {
  EXPECT_EQ(variety(Texts{{begin_token, 20, 21, end_token}}, 2).distinct,
            variety(Texts{{20, 21}}, 2).distinct);
}

TEST(Variety, IsNothingOfNothing) {
  const Variety v = variety(Texts{{begin_token, end_token}}, 1);
  EXPECT_FALSE(v.distinct.has_value());
  EXPECT_EQ(v.repetition, 0);
}

}  // namespace
}  // namespace ablate::probes

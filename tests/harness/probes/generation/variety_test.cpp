// Counts of n-grams on texts small enough to count by hand.

#include "harness/probes/generation/variety.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ablate::probes {
namespace {

using ::testing::ElementsAre;

Variety of(const std::vector<std::vector<Token>>& texts) { return variety(texts); }

TEST(Variety, IsFullWhereNothingRepeats) {
  const Variety v = of({{20, 21, 22, 23, 24}, {30, 31, 32}});
  EXPECT_THAT(v.distinct, ElementsAre(1, 1, 1));
  EXPECT_EQ(v.repetition, 0);
}

TEST(Variety, CountsEachDistinctRunOnceOverAllTexts) {
  const Variety v = of({{20, 21, 20, 21}, {20, 21}});
  EXPECT_DOUBLE_EQ(v.distinct[0], 2.0 / 6);
  EXPECT_DOUBLE_EQ(v.distinct[1], 2.0 / 4);  // 20 21, 21 20
  EXPECT_DOUBLE_EQ(v.distinct[2], 2.0 / 2);
}

TEST(Variety, CountsARunOfFourAsRepeatedWithinItsTextAlone) {
  EXPECT_DOUBLE_EQ(of({{20, 20, 20, 20, 20, 20}}).repetition, 2.0 / 3);
  EXPECT_DOUBLE_EQ(of({{20, 21, 22, 23}, {20, 21, 22, 23}}).repetition, 0);
}

TEST(Variety, LeavesSpecialIdsOut) {
  EXPECT_EQ(of({{begin_token, 20, 21, end_token}}).distinct, of({{20, 21}}).distinct);
}

TEST(Variety, IsZeroOfNothing) {
  const Variety v = of({{begin_token, end_token}});
  EXPECT_THAT(v.distinct, ElementsAre(0, 0, 0));
  EXPECT_EQ(v.repetition, 0);
}

}  // namespace
}  // namespace ablate::probes

#include "harness/statistics/power.h"

#include <gtest/gtest.h>

namespace ablate::statistics {
namespace {

TEST(Power, IsNothingWhereTheSeedsCannotReachSignificance) {
  EXPECT_EQ(sign_flip_power(5, .05, 100), 0);
  EXPECT_FALSE(minimum_detectable_effect(5, .05, 1));
  EXPECT_FALSE(minimum_detectable_effect(8, .05, 7));  // .05 / 7 is below 2 / 2^8
  EXPECT_TRUE(minimum_detectable_effect(6, .05, 1));
}

TEST(Power, LeastDetectableEffectAgreesWithTheReference) {
  EXPECT_NEAR(*minimum_detectable_effect(6, .05, 1), 1.79, .005);
  EXPECT_NEAR(*minimum_detectable_effect(8, .05, 4), 1.92, .005);
}

TEST(Power, ApproachesTheTTestsAsSeedsGrow) {
  // 80 % effects of the paired t-test: .78 at 15 seeds, .66 at 20, .53 at 30.
  EXPECT_NEAR(*minimum_detectable_effect(15, .05, 1), .78, .03);
  EXPECT_NEAR(*minimum_detectable_effect(20, .05, 1), .66, .03);
  EXPECT_NEAR(*minimum_detectable_effect(30, .05, 1), .53, .005);
}

TEST(Power, RisesWithTheEffectAndIsTheSameEachTime) {
  double previous = 0;
  for (double effect = 0; effect < 3; effect += .25) {
    const double power = sign_flip_power(9, .05, effect);
    EXPECT_GE(power, previous);
    EXPECT_EQ(power, sign_flip_power(9, .05, effect));
    previous = power;
  }
  EXPECT_GT(previous, .99);
}

TEST(Power, UnderNoEffectIsTheTestsSize) {
  EXPECT_NEAR(sign_flip_power(9, .05, 0), .0469, .014);  // 24 of 512 patterns; four standard errors
}

TEST(Power, TheSeedsForAnEffectFindIt) {
  EXPECT_EQ(seeds_for_effect(1.8, .05, 1), 6) << "6 seeds find 1.79";
  EXPECT_EQ(seeds_for_effect(1.95, .05, 4), 8) << "8 seeds find 1.92 under Holm";
  const auto many = seeds_for_effect(.3, .05, 1);
  ASSERT_TRUE(many);
  EXPECT_GE(sign_flip_power(*many, .05, .3), .8);
  EXPECT_LT(sign_flip_power(*many - 1, .05, .3), .8);
  EXPECT_FALSE(seeds_for_effect(.01, .05, 1));
}

}  // namespace
}  // namespace ablate::statistics

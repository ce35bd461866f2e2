#include "harness/statistics/paired/t_power.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace ablate::statistics {
namespace {

TEST(PairedTPower, AgreesWithTheReference) {
  EXPECT_NEAR(paired_t_power(5, .05, 1), .4013899174, 5e-11);
}

TEST(PairedTPower, DetectableEffectsAgreeWithTheReference) {
  const std::vector<std::pair<std::int64_t, double>> effects = {{3, 3.26}, {4, 2.13}, {5, 1.68},
                                                                {6, 1.43}, {8, 1.16}, {10, 1.00},
                                                                {15, .78}, {20, .66}, {30, .53}};
  for (const auto& [n, effect] : effects) {
    EXPECT_NEAR(paired_t_detectable_effect(n, .05, .8), effect, .005) << n;
    EXPECT_NEAR(paired_t_power(n, .05, paired_t_detectable_effect(n, .05, .8)), .8, 1e-8) << n;
  }
}

TEST(PairedTPower, IsTheLevelWithoutAnEffectAndKnowsNoSign) {
  EXPECT_EQ(paired_t_power(8, .05, 0), .05);
  EXPECT_NEAR(paired_t_power(8, .05, 1e-6), .05, 1e-9);
  EXPECT_NEAR(paired_t_power(8, .05, -.7), paired_t_power(8, .05, .7), 1e-12);
}

TEST(PairedTPower, NoetherAgreesWithTheReference) {
  EXPECT_NEAR(noether_pairs(.70, .05, .95), 45.09, .005);
  EXPECT_NEAR(noether_pairs(.75, .05, .95), 28.86, .005);
  EXPECT_NEAR(noether_pairs(.80, .05, .95), 20.04, .005);
  EXPECT_EQ(noether_pairs(.25, .05, .95), noether_pairs(.75, .05, .95));
}

}  // namespace
}  // namespace ablate::statistics

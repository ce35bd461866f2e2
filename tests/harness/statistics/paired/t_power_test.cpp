#include "harness/statistics/paired/t_power.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace ablate::statistics {
namespace {

TEST(PairedTPower, AgreesWithTheReference) {
  EXPECT_NEAR(paired_t_power(5, .05, 1), .4013899174, 5e-11);
}

// The effects that so many pairs find in 80 of 100 cases, as they are tabulated.
TEST(PairedTPower, OfDetectableEffectsIsFourFifths) {
  const std::vector<std::pair<std::int64_t, double>> effects = {{3, 3.26}, {4, 2.13}, {5, 1.68},
                                                                {6, 1.43}, {8, 1.16}, {10, 1.00},
                                                                {15, .78}, {20, .66}, {30, .53}};
  for (const auto& [n, effect] : effects) {
    EXPECT_LT(paired_t_power(n, .05, effect - .005), .8) << n;
    EXPECT_GT(paired_t_power(n, .05, effect + .005), .8) << n;
  }
}

TEST(PairedTPower, IsTheLevelWithoutAnEffectAndKnowsNoSign) {
  EXPECT_EQ(paired_t_power(8, .05, 0), .05);
  EXPECT_NEAR(paired_t_power(8, .05, 1e-6), .05, 1e-9);
  EXPECT_NEAR(paired_t_power(8, .05, -.7), paired_t_power(8, .05, .7), 1e-12);
}

}  // namespace
}  // namespace ablate::statistics

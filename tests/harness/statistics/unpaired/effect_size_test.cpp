#include "harness/statistics/unpaired/effect_size.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "harness/base/rng.h"
#include "tests/harness/statistics/reference_values.h"

namespace ablate::statistics {
namespace {

TEST(UnpairedEffect, AgreesWithTheReference) {
  // The reference has the approximate factor, 28 / 31 at 8 degrees of freedom; the exact one is 16 / (10 sqrt(pi)).
  EXPECT_NEAR(*hedges_g(kBaseline, kArm),
              2.471616171045407 * 31 / 28 * 1.6 / std::sqrt(std::numbers::pi), 1e-12);
  EXPECT_EQ(probability_of_superiority(kBaseline, kArm), 1);
}

TEST(UnpairedEffect, IsRightOnAverageInSmallSamples) {
  // Two samples of three, one standard deviation apart: g has a standard deviation of 1.06 here, so that the mean of
  // 40,000 has .0053; four of it. Without a factor it would be .25 off.
  Rng rng(11);
  constexpr int kDraws = 40'000;
  double sum = 0;
  std::vector<double> x(3), y(3);
  for (int draw = 0; draw < kDraws; ++draw) {
    for (double& value : x) value = 1 + rng.normal();
    for (double& value : y) value = rng.normal();
    sum += *hedges_g(x, y);
  }
  EXPECT_NEAR(sum / kDraws, 1, .021);
  const std::vector<double> two = {0, 2}, others = {4, 6};  // d is -4 / sqrt(2)
  EXPECT_NEAR(*hedges_g(two, others), -4 / std::sqrt(2) / std::sqrt(std::numbers::pi), 1e-13);
}

TEST(UnpairedEffect, OfTheOtherOrderIsTheOpposite) {
  EXPECT_EQ(*hedges_g(kArm, kBaseline), -*hedges_g(kBaseline, kArm));
  const std::vector<double> x = {1, 2, 5}, y = {2, 3};
  EXPECT_DOUBLE_EQ(probability_of_superiority(x, y) + probability_of_superiority(y, x), 1);
  EXPECT_DOUBLE_EQ(probability_of_superiority(x, y), 2.5 / 6);
}

TEST(UnpairedEffect, IsAbsentWithoutSpread) {
  EXPECT_FALSE(hedges_g(std::vector<double>(3, 1.0), std::vector<double>(3, 2.0)));
  EXPECT_FALSE(hedges_g(kArm, std::vector<double>{1}));
}

}  // namespace
}  // namespace ablate::statistics

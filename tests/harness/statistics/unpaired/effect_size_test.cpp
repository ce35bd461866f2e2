#include "harness/statistics/unpaired/effect_size.h"

#include <gtest/gtest.h>

#include "tests/harness/statistics/reference_values.h"

namespace ablate::statistics {
namespace {

TEST(UnpairedEffect, AgreesWithTheReference) {
  EXPECT_NEAR(*hedges_g(kBaseline, kArm), 2.471616171045407, 1e-12);
  EXPECT_EQ(probability_of_superiority(kBaseline, kArm), 1);
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

#include "harness/statistics/paired/effect_size.h"

#include <gtest/gtest.h>

#include "harness/base/rng.h"
#include "tests/harness/statistics/reference_values.h"

namespace ablate::statistics {
namespace {

TEST(PairedEffect, AgreesWithTheReference) {
  EXPECT_NEAR(*standardized_difference(kImprovements), 2.325273435904751, 1e-13);
}

TEST(PairedEffect, IsAbsentWithoutSpread) {
  EXPECT_FALSE(standardized_difference(std::vector<double>(4, .1)));
  EXPECT_FALSE(standardized_difference(std::vector<double>{1}));
}

TEST(PairedEffect, TiesCountAHalf) {
  EXPECT_EQ(probability_above_zero(kImprovements), 1);
  EXPECT_EQ(probability_above_zero(std::vector<double>{1, 0, -1, 2}), .625);
  EXPECT_EQ(probability_above_zero(std::vector<double>(3, 0.0)), .5);
}

TEST(VarianceRatio, IsOneOfIndependentSamplesAndManyOfSharedNoise) {
  Rng rng(1);
  std::vector<double> a(4000), b(4000), shared(4000);
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i] = rng.normal();
    b[i] = rng.normal();
    shared[i] = a[i] + .5 * rng.normal();  // Var(a) + Var(shared) = 2.25, Var of the difference .25
  }
  EXPECT_NEAR(*variance_ratio_of_pairing(a, b), 1, .07);  // four standard errors
  EXPECT_NEAR(*variance_ratio_of_pairing(a, shared), 9, .9);
}

TEST(VarianceRatio, IsTheSumOfVariancesOverThatOfTheDifference) {
  // The squared deviations of the two samples and of their difference, over 4.
  EXPECT_NEAR(*variance_ratio_of_pairing(kArm, kBaseline), (318.8e-6 + 518.8e-6) / 580e-6, 1e-9);
  EXPECT_EQ(*variance_ratio_of_pairing(kArm, kBaseline),
            *variance_ratio_of_pairing(kBaseline, kArm));
}

TEST(VarianceRatio, IsAbsentWhereTheDifferenceHasNoSpread) {
  std::vector<double> shifted = kBaseline;
  for (double& value : shifted) value += .1;
  EXPECT_FALSE(variance_ratio_of_pairing(kBaseline, shifted));
  EXPECT_FALSE(variance_ratio_of_pairing({}, {}));
}

}  // namespace
}  // namespace ablate::statistics

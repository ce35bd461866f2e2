#include "harness/statistics/paired/non_inferiority.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/harness/statistics/reference_values.h"

namespace ablate::statistics {
namespace {

// Simulated by others: the chance to pass at .05, by seeds and margin in deviations.
TEST(NonInferiorityPower, AgreesWithSimulations) {
  const double margins[] = {0.75, 1, 1.5, 2, 3};
  const struct {
    std::int64_t seeds;
    double chances[5];
  } rows[] = {{4, {.32, .46, .74, .91, .995}}, {6, {.47, .68, .93, .99, 1}},
              {8, {.61, .82, .985, 1, 1}},     {10, {.71, .89, .997, 1, 1}},
              {12, {.79, .94, .999, 1, 1}},    {16, {.88, .99, 1, 1, 1}}};
  for (const auto& row : rows)
    for (int i = 0; i < 5; ++i)  // two digits, and the error of some thousand draws
      EXPECT_NEAR(non_inferiority_power(row.seeds, 0.05, margins[i]), row.chances[i], 0.02)
          << row.seeds << " seeds, margin " << margins[i];
}

TEST(NonInferiorityPower, IsTheLevelWhereTheMarginIsNothing) {
  EXPECT_NEAR(non_inferiority_power(8, 0.05, 1e-9), 0.05, 1e-6);
}

TEST(NonInferiorityMargin, HasThePowerAndScalesWithTheDeviation) {
  for (const std::int64_t seeds : {2, 4, 8, 16}) {
    const double margin = non_inferiority_margin(1, seeds);
    EXPECT_NEAR(non_inferiority_power(seeds, 0.05, margin), 0.985, 1e-6) << seeds;
    EXPECT_NEAR(non_inferiority_margin(0.3, seeds), 0.3 * margin, 1e-7) << seeds;
  }
  EXPECT_NEAR(non_inferiority_margin(1, 8), 1.5, 0.02);
  EXPECT_EQ(non_inferiority_margin(0, 8), 0);
}

TEST(NonInferiority, AgreesWithTheReferenceOfBothSidesOfEquivalence) {
  std::vector<double> other_way = kImprovements;
  for (double& each : other_way) each = -each;
  EXPECT_NEAR(non_inferiority_p(other_way, .05), 6.604845289526207e-05, 1e-16);
  EXPECT_NEAR(non_inferiority_p(kImprovements, .05), .007516478937093247, 1e-14);
}

TEST(NonInferiority, IsAHalfAtTheMarginAndASignTestWithoutSpread) {
  EXPECT_NEAR(non_inferiority_p(kImprovements, .028), .5, 1e-12);
  EXPECT_EQ(non_inferiority_p(std::vector<double>(5, .01), .02), 1.0 / 32);
  EXPECT_EQ(non_inferiority_p(std::vector<double>(5, .02), .02), 1);
  EXPECT_EQ(non_inferiority_p(std::vector<double>(5, -.5), .02), 1.0 / 32);
}

TEST(NonInferiorityMargin, FallsWithSeeds) {
  double before = non_inferiority_margin(1, 2);
  for (std::int64_t seeds = 3; seeds < 40; ++seeds) {
    const double margin = non_inferiority_margin(1, seeds);
    EXPECT_LT(margin, before) << seeds;
    before = margin;
  }
}

}  // namespace
}  // namespace ablate::statistics

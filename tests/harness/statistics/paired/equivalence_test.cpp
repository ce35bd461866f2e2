#include "harness/statistics/paired/equivalence.h"

#include <gtest/gtest.h>
#include <vector>

#include "tests/harness/statistics/reference_values.h"

namespace ablate::statistics {
namespace {

TEST(Equivalence, AgreesWithTheReference) {
  // The larger of the two one-sided p-values, 6.604845289526207e-05 and .007516478937093247.
  EXPECT_NEAR(equivalence_p(kImprovements, .05), .007516478937093247, 1e-14);
}

TEST(Equivalence, KnowsNoSign) {
  std::vector<double> mirrored = kImprovements;
  for (double& difference : mirrored) difference = -difference;
  EXPECT_DOUBLE_EQ(equivalence_p(mirrored, .05), equivalence_p(kImprovements, .05));
}

TEST(Equivalence, IsAHalfAtTheMarginAndASignTestWithoutSpread) {
  EXPECT_NEAR(equivalence_p(kImprovements, .028), .5, 1e-12);
  EXPECT_EQ(equivalence_p(std::vector<double>(5, .01), .02), 1.0 / 32);
  EXPECT_EQ(equivalence_p(std::vector<double>(2, 0.0), .02), .25);
  EXPECT_EQ(equivalence_p(std::vector<double>(5, .02), .02), 1);
}

TEST(Equivalence, TakesRoundingForNoSpread) {
  const std::vector<double> equal = {.2625 - .245, .2175 - .2};  // two test accuracies, twice
  ASSERT_NE(equal[0], equal[1]);
  EXPECT_EQ(equivalence_p(equal, .02), .25);
}

}  // namespace
}  // namespace ablate::statistics

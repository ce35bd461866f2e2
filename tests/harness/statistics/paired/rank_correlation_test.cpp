#include "harness/statistics/paired/rank_correlation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace ablate::statistics {
namespace {

TEST(Spearman, OfAnIncreasingFunctionIsOne) {
  const std::vector<double> x = {.1, 3, .2, 7}, y = {1, 1000, 2, 1e9}, z = {-1, -3, -2, -4};
  EXPECT_DOUBLE_EQ(spearman(x, y), 1);
  EXPECT_DOUBLE_EQ(spearman(x, z), -1);
  EXPECT_DOUBLE_EQ(spearman(y, x), spearman(x, y));
}

// 1 - 6 sum d^2 / (n (n^2 - 1)) without ties: d = 1, 1, 1, 1 of four.
TEST(Spearman, AgreesWithTheFormulaWithoutTies) {
  const std::vector<double> x = {1, 2, 3, 4}, y = {2, 1, 4, 3};
  EXPECT_DOUBLE_EQ(spearman(x, y), 1 - 6.0 * 4 / (4 * 15));
}

// Midranks 1.5, 1.5, 3 against 1, 2, 3: covariance 1.5 over sqrt(1.5 * 2).
TEST(Spearman, GivesTiesTheMeanOfTheirRanks) {
  const std::vector<double> x = {5, 5, 9}, y = {1, 2, 3};
  EXPECT_DOUBLE_EQ(spearman(x, y), 1.5 / std::sqrt(3.0));
}

TEST(Spearman, IsNaNWithoutSpread) {
  const std::vector<double> x = {1, 1, 1}, y = {1, 2, 3};
  EXPECT_TRUE(std::isnan(spearman(x, y)));
}

}  // namespace
}  // namespace ablate::statistics

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "harness/base/rng.h"
#include "harness/statistics/unpaired/rank_test.h"
#include "tests/harness/statistics/reference_values.h"

namespace ablate::statistics {
namespace {

// p by counting all ways to choose which of the values, ties and all, are the first sample.
double counted_p(const std::vector<double>& x, const std::vector<double>& y) {
  std::vector<double> all = x;
  all.insert(all.end(), y.begin(), y.end());
  // Twice the pairs in which the first sample is larger, a tie a half: an integer.
  const auto above = [&](const std::vector<bool>& first) {
    std::int64_t pairs = 0;
    for (std::size_t i = 0; i < all.size(); ++i)
      for (std::size_t j = 0; j < all.size(); ++j)
        if (first[i] && !first[j]) pairs += all[i] > all[j] ? 2 : all[i] == all[j] ? 1 : 0;
    return pairs;
  };
  std::vector<bool> first(all.size());
  std::fill(first.begin(), first.begin() + static_cast<std::ptrdiff_t>(x.size()), true);
  const std::int64_t seen = above(first);
  double at_most = 0, at_least = 0, orders = 0;
  do {
    at_most += above(first) <= seen;
    at_least += above(first) >= seen;
    ++orders;
  } while (std::prev_permutation(first.begin(), first.end()));
  return std::min(1.0, 2 * std::min(at_most, at_least) / orders);
}

TEST(MannWhitney, AgreesWithCountingAllOrders) {
  const std::vector<double> x = {3, 8, 1, 12, 7}, y = {2, 9, 14, 15, 16, 13};
  EXPECT_NEAR(mann_whitney_p(x, y), counted_p(x, y), 1e-14);
  EXPECT_NEAR(mann_whitney_p(y, x), counted_p(x, y), 1e-14);
  EXPECT_NEAR(mann_whitney_p({x.data(), 2}, y), counted_p({3, 8}, y), 1e-14);
}

TEST(MannWhitney, IsExactWithTies) {
  EXPECT_DOUBLE_EQ(mann_whitney_p(std::vector<double>{0, 0}, std::vector<double>{0, 1}), 1);
  Rng rng(3);
  for (int run = 0; run < 300; ++run) {
    // Small integers, so that most values tie; samples of different sizes, whose distribution is skewed.
    std::vector<double> x(static_cast<std::size_t>(1 + rng.below(5))),
        y(static_cast<std::size_t>(1 + rng.below(6)));
    for (double& value : x) value = static_cast<double>(rng.below(4));
    for (double& value : y) value = static_cast<double>(rng.below(4) + run % 2);
    EXPECT_NEAR(mann_whitney_p(x, y), counted_p(x, y), 1e-14);
    EXPECT_NEAR(mann_whitney_p(y, x), counted_p(x, y), 1e-14);
    EXPECT_GE(mann_whitney_p(x, y), least_mann_whitney_p(x.size(), y.size()) - 1e-14);
  }
}

TEST(MannWhitney, KeepsItsLevelWithTies) {
  // Both samples of one distribution with five values: p <= alpha in no more than alpha of them. Deviation of the
  // count at .05: sqrt(4000 * .05 * .95) = 13.8; four of it.
  Rng rng(4);
  int found = 0;
  std::vector<double> x(9), y(7);
  for (int run = 0; run < 4000; ++run) {
    for (double& value : x) value = static_cast<double>(rng.below(5));
    for (double& value : y) value = static_cast<double>(rng.below(5));
    found += mann_whitney_p(x, y) <= .05;
  }
  EXPECT_LT(found, 4000 * .05 + 4 * 13.8);
  EXPECT_GT(found, 4000 * .02) << "and it is not idle";
}

TEST(MannWhitney, AgreesWithTheReference) {
  EXPECT_NEAR(mann_whitney_p(kBaseline, kArm), .007936507936507936, 1e-15);
  const std::vector<double> smallest = {.1, .02857, .00794, .00216, .00058};
  for (std::size_t n = 3; n < 8; ++n)
    EXPECT_NEAR(least_mann_whitney_p(n, n), smallest[n - 3], 5.1e-6) << n;
}

// The table of the exact test: U = 8 at 15 % of two samples of 5; U <= 2 is p .0317.
TEST(MannWhitney, HasPublishedValues) {
  const std::vector<double> low = {1, 2, 3, 4, 7}, high = {5, 6, 8, 9, 10};  // U = 2
  EXPECT_NEAR(mann_whitney_p(low, high), 0.031746, 1e-6);
  EXPECT_NEAR(least_mann_whitney_p(5, 5), 2.0 / 252, 1e-12);
  EXPECT_GT(least_mann_whitney_p(5, 5), 0.002);
  EXPECT_LT(least_mann_whitney_p(9, 9), 0.002);
}

// Fifteen against fifteen: U = 40 is still below .002, one more is not.
TEST(MannWhitney, FifteenRepetitionsAllowOutliers) {
  std::vector<double> x(15), y(15);
  std::iota(x.begin(), x.end(), 0.0);
  std::iota(y.begin(), y.end(), 15.0);
  x[14] = 100, x[13] = 99;  // two outliers: U = 30
  EXPECT_LT(mann_whitney_p(x, y), 0.002);
  x[12] = 98;  // U = 45
  EXPECT_GT(mann_whitney_p(x, y), 0.002);
}

TEST(MannWhitney, TiesNeverMakeItMoreCertain) {
  const std::vector<double> same(6, 1.0);
  EXPECT_EQ(mann_whitney_p(same, same), 1);
  const std::vector<double> apart = {1, 2, 3, 4, 5, 6}, higher = {6, 7, 8, 9, 10, 11},
                            untied = {6.5, 7, 8, 9, 10, 11};
  EXPECT_GE(mann_whitney_p(apart, higher), mann_whitney_p(apart, untied));
}

// Times of nine repetitions each, with ties across and within the samples: U = 2.5.
const std::vector<double> kBefore = {.98, .99, .99, 1.00, 1.01, 1.01, 1.03, 1.03, 1.05};
const std::vector<double> kAfter = {1.03, 1.05, 1.08, 1.08, 1.08, 1.10, 1.12, 1.13, 1.15};

TEST(MannWhitney, ByTheNormalDistributionAgreesWithTheReference) {
  EXPECT_NEAR(asymptotic_mann_whitney_p(kBaseline, kArm), .012185780355344813, 1e-15);
  EXPECT_NEAR(asymptotic_mann_whitney_p(kBefore, kAfter), .0008675638537834058, 1e-16);
  EXPECT_NEAR(asymptotic_mann_whitney_p(kBefore, kAfter, false), .000738985517286933, 1e-16);
  EXPECT_EQ(asymptotic_mann_whitney_p(kBefore, kAfter), asymptotic_mann_whitney_p(kAfter, kBefore));
}

TEST(MannWhitney, ByTheNormalDistributionSaysNothingWhereAllTie) {
  const std::vector<double> same(6, 1.0);
  EXPECT_EQ(asymptotic_mann_whitney_p(same, same), 1);
}

TEST(MannWhitney, OfManyValuesIsCloseToTheExactOne) {
  std::vector<double> x(kMaxRanked), y(kMaxRanked);
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<double>(i * 37 % 101);
    y[i] = static_cast<double>(i * 53 % 103) + 10.5;
  }
  const double exact = mann_whitney_p(x, y);
  EXPECT_NEAR(asymptotic_mann_whitney_p(x, y) / exact, 1, .02);
  x.push_back(50.25);  // from here on it is not counted
  EXPECT_NEAR(mann_whitney_p(x, y) / exact, 1, .1);
  EXPECT_EQ(mann_whitney_p(x, y), asymptotic_mann_whitney_p(x, y));
}

}  // namespace
}  // namespace ablate::statistics

#include "harness/statistics/one_sample/summary.h"

#include <gtest/gtest.h>
#include <cmath>
#include <vector>

#include "harness/base/rng.h"
#include "tests/harness/statistics/reference_values.h"

namespace ablate::statistics {
namespace {

TEST(Summary, MeanAndDeviationAgreeWithTheReference) {
  EXPECT_NEAR(mean(kImprovements), .028, 1e-15);
  EXPECT_NEAR(deviation(kImprovements), .01204159457879214, 1e-15);
}

TEST(Summary, EqualValuesHaveExactlyTheirMeanAndNoDeviation) {
  const std::vector<double> same(7, 0.1);
  EXPECT_EQ(mean(same), 0.1);
  EXPECT_EQ(deviation(same), 0);
}

TEST(Summary, IntervalAgreesWithTheReference) {
  const auto interval = t_interval(kImprovements);
  ASSERT_TRUE(interval);
  EXPECT_NEAR(interval->low, .013048385530548177, 1e-15);
  EXPECT_NEAR(interval->high, .04295161446945187, 1e-15);
  const double half_width = (interval->high - interval->low) / 2;
  EXPECT_NEAR(half_width / (deviation(kImprovements) / std::sqrt(5.0)), 2.7764451051977987, 1e-13);
}

TEST(Summary, MedianAgreesWithTheReference) {
  const std::vector<double> times = {1.05, .98, .99, 1.03, 1.00, .99, 1.01, 1.03, 1.01};
  EXPECT_EQ(median(times), 1.01);
  std::vector<double> distances;
  for (const double each : times) distances.push_back(std::abs(each - median(times)));
  EXPECT_NEAR(1.4826 * median(distances), .029652, 1e-12) << "the median absolute deviation";
  EXPECT_EQ(median({3, 1, 2, 10}), 2.5);
}

TEST(Summary, OneValueHasNoInterval) {
  EXPECT_FALSE(t_interval(std::vector<double>{1.0}));
  EXPECT_FALSE(t_interval({}));
}

TEST(Summary, IntervalCoversTheTruthAsOftenAsItSays) {
  Rng rng(1);
  int covered = 0;
  for (int run = 0; run < 2000; ++run) {
    std::vector<double> values(5);
    for (double& value : values) value = 3 + rng.normal();
    const auto interval = t_interval(values);
    if (interval->low < 3 && 3 < interval->high) ++covered;
  }
  EXPECT_NEAR(covered / 2000.0, .95, .02);  // four standard errors; the seed is fixed
}

}  // namespace
}  // namespace ablate::statistics

// The expected best of n settings against every way to draw them.

#include "harness/statistics/sweeps/expected_best.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "harness/base/rng.h"
#include "harness/statistics/one_sample/summary.h"

namespace ablate::statistics {
namespace {

/// The mean, over all sequences of `draws` values, of the smallest in the sequence.
double mean_minimum(const std::vector<double>& values, std::size_t draws) {
  std::size_t sequences = 1;
  for (std::size_t i = 0; i < draws; ++i) sequences *= values.size();
  double sum = 0;
  for (std::size_t sequence = 0; sequence < sequences; ++sequence) {
    double smallest = values[sequence % values.size()];
    for (std::size_t rest = sequence, i = 0; i < draws; ++i, rest /= values.size())
      smallest = std::min(smallest, values[rest % values.size()]);
    sum += smallest;
  }
  return sum / static_cast<double>(sequences);
}

TEST(ExpectedBest, IsTheMeanMinimumOverEveryWayToDraw) {
  Rng rng(7);
  for (std::size_t count = 1; count <= 5; ++count)
    for (int round = 0; round < 5; ++round) {
      std::vector<double> values(count);
      for (double& value : values) value = 3 * rng.uniform();
      if (round == 0) std::fill(values.begin(), values.end(), values[0]);  // ties
      const std::vector<double> best = expected_best(values);
      ASSERT_EQ(best.size(), count);
      for (std::size_t draws = 1; draws <= count; ++draws)
        EXPECT_NEAR(best[draws - 1], mean_minimum(values, draws), 1e-12);
    }
}

TEST(ExpectedBest, FallsFromTheMeanTowardsTheMinimum) {
  const std::vector<double> values = {2.5, 2.1, 4.0, 2.2};
  const std::vector<double> best = expected_best(values);
  EXPECT_DOUBLE_EQ(best.front(), mean(values));
  EXPECT_TRUE(std::is_sorted(best.rbegin(), best.rend()));
  EXPECT_GT(best.back(), 2.1);
}

}  // namespace
}  // namespace ablate::statistics

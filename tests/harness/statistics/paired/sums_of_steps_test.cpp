// The distribution of sums of steps that are taken or left.

#include "harness/statistics/paired/sums_of_steps.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "harness/base/rng.h"

namespace ablate::statistics {
namespace {

/// The same in the plainest way: one step after another, over all sums.
std::vector<double> plainly(const std::vector<std::size_t>& steps) {
  std::vector<double> probability = {1};
  for (const std::size_t step : steps) {
    std::vector<double> next(probability.size() + step, 0.0);
    for (std::size_t sum = 0; sum < next.size(); ++sum)
      next[sum] = ((sum < probability.size() ? probability[sum] : 0) +
                   (sum >= step ? probability[sum - step] : 0)) /
                  2;
    probability = next;
  }
  return probability;
}

TEST(SumsOfSteps, OfFewAreCountedByHand) {
  EXPECT_THAT(distribution_of_sums({}), testing::ElementsAre(1));
  EXPECT_THAT(distribution_of_sums(std::vector<std::size_t>{0}), testing::ElementsAre(1));
  EXPECT_THAT(distribution_of_sums(std::vector<std::size_t>{1, 2}),
              testing::ElementsAre(.25, .25, .25, .25));
  EXPECT_THAT(distribution_of_sums(std::vector<std::size_t>{1, 1}),
              testing::ElementsAre(.25, .5, .25));
  EXPECT_THAT(distribution_of_sums(std::vector<std::size_t>{3}),
              testing::ElementsAre(.5, 0, 0, .5));
}

TEST(SumsOfSteps, AreToTheLastBitThoseOfThePlainWay) {
  for (std::uint64_t trial = 0; trial < 300; ++trial) {
    Rng rng(trial);
    std::vector<std::size_t> steps(static_cast<std::size_t>(1 + rng.below(40)));
    for (std::size_t& step : steps)
      step = static_cast<std::size_t>(rng.below(trial % 3 == 0 ? 3 : 200));
    const std::vector<double> sums = distribution_of_sums(steps);
    ASSERT_EQ(sums, plainly(steps)) << trial;
    EXPECT_NEAR(std::accumulate(sums.begin(), sums.end(), 0.0), 1, 1e-12);
  }
}

}  // namespace
}  // namespace ablate::statistics

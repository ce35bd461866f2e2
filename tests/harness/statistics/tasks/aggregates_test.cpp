#include "harness/statistics/tasks/aggregates.h"

#include <gtest/gtest.h>

#include <numeric>

namespace ablate::statistics {
namespace {

const Scores kFourTasks = {{.12, .55, .31}, {.18, .49, .40}, {.15, .61, .37}, {.22, .52, .35}};

TEST(InterquartileMean, AgreesWithTheReference) {
  std::vector<double> ten(10);
  std::iota(ten.begin(), ten.end(), 1);
  EXPECT_EQ(interquartile_mean({ten}), 5.5);
  EXPECT_NEAR(interquartile_mean({{1, 4, 9, 16, 25}}), 9.666666666666666, 1e-14);
  EXPECT_NEAR(interquartile_mean(kFourTasks), .35666666666666663, 1e-15);
  EXPECT_EQ(interquartile_mean({{1, 2, 2, 1}, {2, 2, 1, 1}}), 1.5);
  EXPECT_EQ(interquartile_mean({{1, 2, 3}, {1, 2, 3}}), 2);
}

TEST(InterquartileMean, IgnoresOutliers) {
  EXPECT_EQ(interquartile_mean({{1, 2, 3, 4, 5, 6, 7, 8}}),
            interquartile_mean({{-1e9, 2, 3, 4, 5, 6, 7, 1e9}}));
}

TEST(PerformanceProfile, FallsFromOneToZero) {
  const std::vector<double> thresholds = {0, .2, .3, .45, 1};
  const std::vector<double> profile = performance_profile(kFourTasks, thresholds);
  EXPECT_EQ(profile.front(), 1);
  EXPECT_EQ(profile.back(), 0);
  for (std::size_t i = 1; i < profile.size(); ++i) EXPECT_LE(profile[i], profile[i - 1]);
  EXPECT_NEAR(profile[3], 1.0 / 3, 1e-15) << "one run in three of each task";
}

TEST(PerformanceProfile, WeighsTasksAlikeWhateverTheirRuns) {
  EXPECT_EQ(performance_profile({{1}, {0, 0, 0}}, std::vector<double>{.5})[0], .5);
}

TEST(ProbabilityOfImprovement, AgreesWithTheReference) {
  const Scores x = {{1, 2, 1, 2}, {2, 2, 1, 1}}, y = {{1, 2, 3}, {1, 2, 3}};
  EXPECT_NEAR(probability_of_improvement(x, y), 1.0 / 3, 1e-15);
  EXPECT_NEAR(probability_of_improvement(y, x), 2.0 / 3, 1e-15);
}

TEST(StratifiedBootstrap, NeverLeavesATask) {
  // Tasks whose runs all agree do not vary, however far apart the tasks are.
  const Interval interval =
      stratified_bootstrap({{1, 1, 1}, {5, 5, 5}}, interquartile_mean, Rng(1));
  EXPECT_EQ(interval.low, 3);
  EXPECT_EQ(interval.high, 3);
}

TEST(StratifiedBootstrap, ContainsTheStatisticAndIsTheSameForTheSameRng) {
  const Interval one = stratified_bootstrap(kFourTasks, interquartile_mean, Rng(1)),
                 again = stratified_bootstrap(kFourTasks, interquartile_mean, Rng(1));
  EXPECT_LT(one.low, interquartile_mean(kFourTasks));
  EXPECT_GT(one.high, interquartile_mean(kFourTasks));
  EXPECT_EQ(one.low, again.low);
  EXPECT_EQ(one.high, again.high);
}

}  // namespace
}  // namespace ablate::statistics

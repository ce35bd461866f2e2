#include <gtest/gtest.h>

#include <vector>

#include "harness/base/rng.h"
#include "harness/statistics/change_points.h"

namespace ablate::statistics {
namespace {

std::vector<double> noise(std::size_t count, std::uint64_t seed) {
  Rng rng(seed, Stream::probes, 0);
  std::vector<double> values(count);
  for (double& value : values) value = 1 + 0.02 * (rng.uniform() - 0.5);
  return values;
}

TEST(Levels, NoiseAloneIsOneLevel) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const std::vector<double> history = noise(60, seed);
    EXPECT_EQ(levels_of(history, usual_penalty(history)).size(), 1u) << seed;
  }
}

TEST(Levels, AStepIsFoundWhereItIs) {
  std::vector<double> history = noise(60, 1);
  for (std::size_t i = 40; i < history.size(); ++i) history[i] *= 1.1;
  const std::vector<Level> levels = levels_of(history, usual_penalty(history));
  ASSERT_EQ(levels.size(), 2u);
  EXPECT_EQ(levels[0].count, 40u);
  EXPECT_EQ(levels[1].first, 40u);
  EXPECT_NEAR(levels[1].median / levels[0].median, 1.1, 0.01);
}

TEST(Levels, OneOutlierIsNoLevel) {
  std::vector<double> history = noise(30, 2);
  history[12] = 1.15;
  EXPECT_EQ(levels_of(history, usual_penalty(history)).size(), 1u);
}

// The best cut of a short history, found by trying every one.
TEST(Levels, CostIsTheLeast) {
  const std::vector<double> history = {1, 1, 5, 5, 5, 2, 1, 1};
  const std::vector<Level> levels = levels_of(history, 1.5);
  ASSERT_EQ(levels.size(), 3u);
  EXPECT_EQ(levels[1].first, 2u);
  EXPECT_EQ(levels[1].count, 3u);
  EXPECT_EQ(levels[1].median, 5);
  EXPECT_EQ(levels_of(history, 100).size(), 1u);
}

TEST(Levels, AnEmptyHistoryHasNone) { EXPECT_TRUE(levels_of({}, 1).empty()); }

}  // namespace
}  // namespace ablate::statistics

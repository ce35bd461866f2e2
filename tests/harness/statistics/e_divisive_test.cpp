#include "harness/statistics/e_divisive.h"

#include <gtest/gtest.h>

#include <cmath>

#include "harness/base/rng.h"

namespace ablate::statistics {
namespace {

std::vector<double> around_one(std::size_t count, std::uint64_t seed, double spread = 0.01) {
  Rng rng(seed, Stream::probes, 0);
  std::vector<double> values(count);
  for (double& value : values) value = 1 + spread * rng.normal();
  return values;
}

// X = {0, 1}, Y = {3, 5, 6}: between 3+5+6+2+4+5 = 25, within 1 and 2+3+1 = 6.
TEST(EnergyStatistic, IsTheFormula) {
  const double expected = 2.0 / 5 * 25 - 2.0 * 3 / (5 * 1) * 1 - 2.0 * 2 / (5 * 2) * 6;
  EXPECT_DOUBLE_EQ(energy_statistic(std::vector<double>{0, 1, 3, 5, 6}, 2), expected);
}

TEST(EnergyStatistic, ScalesAndIgnoresWhereZeroIs) {
  const std::vector<double> values = around_one(30, 1);
  std::vector<double> other;
  for (const double value : values) other.push_back(7 - 3 * value);
  for (std::size_t split = 2; split <= 28; ++split)
    EXPECT_NEAR(energy_statistic(other, split), 3 * energy_statistic(values, split), 1e-12);
}

TEST(EDivisiveSteps, AStepIsFoundWhereItIs) {
  std::vector<double> history = around_one(60, 1);
  for (std::size_t i = 40; i < history.size(); ++i) history[i] *= 1.1;
  const std::vector<Level> levels = e_divisive(history);
  ASSERT_EQ(levels.size(), 2u);
  EXPECT_EQ(levels[0].count, 40u);
  EXPECT_EQ(levels[1].first, 40u);
  EXPECT_NEAR(levels[1].median / levels[0].median, 1.1, 0.01);
}

// The first split is the best of all, by the formula over every split.
TEST(EDivisiveSteps, TheSplitIsTheBestByTheFormula) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    std::vector<double> history = around_one(24, seed);
    const std::size_t step = 4 + seed % 16;
    for (std::size_t i = step; i < history.size(); ++i) history[i] += 0.05;
    std::size_t best = 2;
    for (std::size_t split = 2; split <= 22; ++split)
      if (energy_statistic(history, split) > energy_statistic(history, best)) best = split;
    const std::vector<Level> levels = e_divisive(history);
    ASSERT_GE(levels.size(), 2u) << seed;
    bool found = false;
    for (const Level& level : levels) found = found || level.first == best;
    EXPECT_TRUE(found) << seed;
  }
}

TEST(EDivisiveSteps, SeveralStepsAndAStepThatReverts) {
  std::vector<double> history = around_one(80, 3);
  for (std::size_t i = 20; i < 50; ++i) history[i] *= 1.2;
  for (std::size_t i = 50; i < 80; ++i) history[i] *= 0.9;
  const std::vector<Level> levels = e_divisive(history);
  ASSERT_EQ(levels.size(), 3u);
  EXPECT_EQ(levels[1].first, 20u);
  EXPECT_EQ(levels[2].first, 50u);
}

TEST(EDivisiveSteps, SeesAChangeOfSpreadThatMediansDoNot) {
  std::vector<double> history = around_one(100, 5, 0.01);
  const std::vector<double> wide = around_one(100, 6, 0.2);
  for (std::size_t i = 50; i < 100; ++i) history[i] = wide[i];
  EXPECT_GE(e_divisive(history).size(), 2u);
}

// 300 histories at level .01: 3 are expected, and 3 standard errors above that are 8.2.
TEST(EDivisiveSteps, NoiseAloneIsOneLevelButForTheStatedRate) {
  int alarms = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed)
    alarms += e_divisive(around_one(30, seed)).size() > 1;
  EXPECT_LE(alarms, 8);
}

TEST(EDivisiveSteps, EqualAndFewValuesAreOneLevel) {
  EXPECT_TRUE(e_divisive({}).empty());
  EXPECT_EQ(e_divisive(std::vector<double>(20, 1.5)).size(), 1u);
  EXPECT_EQ(e_divisive(std::vector<double>{1, 2, 3}).size(), 1u);
}

TEST(EDivisiveSteps, TheSameHistoryHasTheSameLevels) {
  std::vector<double> history = around_one(40, 9);
  for (std::size_t i = 25; i < 40; ++i) history[i] *= 1.02;
  const auto first = e_divisive(history), second = e_divisive(history);
  ASSERT_EQ(first.size(), second.size());
  for (std::size_t i = 0; i < first.size(); ++i) EXPECT_EQ(first[i].first, second[i].first);
}

}  // namespace
}  // namespace ablate::statistics

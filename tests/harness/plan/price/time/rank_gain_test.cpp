// Several processes for a trial are advised where cores are idle and steps are long, and not otherwise.

#include "harness/plan/price/time/rank_gain.h"

#include <gtest/gtest.h>

namespace ablate::plan {
namespace {

/// Trials of 1,000 steps that take so many seconds each, and 10 seconds of measuring.
std::vector<RankedTrial> trials(std::size_t count, double step_seconds) {
  return std::vector<RankedTrial>(
      count, {.time = {1000 * step_seconds, 10}, .steps = 1000, .parameters = 1'000'000});
}

TEST(RankGain, IsNoneWhereNoCoreIsIdle) {
  EXPECT_FALSE(gain_by_ranks(trials(4, 1), 4, 8));
  EXPECT_FALSE(gain_by_ranks(trials(4, 1), 7, 8));
  EXPECT_FALSE(gain_by_ranks({}, 7, 8));
}

TEST(RankGain, IsNoneWhereTrialsCanHaveOneRankAlone) {
  EXPECT_FALSE(gain_by_ranks(trials(1, 1), 8, 1));
}

TEST(RankGain, HasAsManyRanksAsThereAreCoresAndTextsForEach) {
  EXPECT_EQ(gain_by_ranks(trials(2, 1), 8, 16)->ranks, 4u);
  EXPECT_EQ(gain_by_ranks(trials(2, 1), 8, 3)->ranks, 3u);
}

TEST(RankGain, OfLongStepsIsNearlyTheNumberOfRanks) {
  const RankGain gain = *gain_by_ranks(trials(1, 1), 4, 4);
  EXPECT_TRUE(gain.pays());
  EXPECT_GT(gain.seconds, 10 + 1000.0 / 4);
  EXPECT_LT(gain.seconds, 10 + 1.1 * 1000.0 / 4);
}

TEST(RankGain, OfShortStepsDoesNotPay) {
  EXPECT_FALSE(gain_by_ranks(trials(1, 0.005), 2, 2)->pays());
}

TEST(RankGain, IsJudgedByTheShortestStep) {
  std::vector<RankedTrial> mixed = trials(1, 1);
  mixed.push_back(trials(1, 0.005)[0]);
  EXPECT_FALSE(gain_by_ranks(mixed, 4, 4)->pays());
}

}  // namespace
}  // namespace ablate::plan

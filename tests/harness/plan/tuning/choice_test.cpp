// How a learning rate is chosen, and how the rates are extended.

#include "harness/plan/tuning/choice.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "harness/base/rng.h"

namespace ablate::plan {
namespace {

TriedRate tried(double rate, std::vector<std::optional<double>> values) {
  return {rate, std::move(values)};
}

TEST(RateChoice, DoesNotDependOnTheOrderInWhichRatesWereTried) {
  Rng rng(3);
  for (int round = 0; round < 50; ++round) {
    std::vector<TriedRate> all;
    for (const double rate : {1e-3, 3e-3, 1e-2, 3e-2}) {
      TriedRate& each = all.emplace_back(tried(rate, {}));
      for (int seed = 0; seed < 3; ++seed)  // coarse, so that there are ties
        each.values.emplace_back(2 + 0.1 * static_cast<double>(rng.below(4)));
      if (rng.probability(0.2)) each.values[1] = std::nullopt;
    }
    const auto first = choose_rate(all, Better::lower);
    std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.rate < b.rate; });
    do {
      const auto choice = choose_rate(all, Better::lower);
      ASSERT_EQ(choice.has_value(), first.has_value());
      if (!choice) continue;
      EXPECT_EQ(choice->rate, first->rate);
      EXPECT_EQ(choice->best, first->best);
      EXPECT_EQ(choice->edges.low, first->edges.low);
      EXPECT_EQ(choice->edges.high, first->edges.high);
    } while (std::next_permutation(all.begin(), all.end(),
                                   [](const auto& a, const auto& b) { return a.rate < b.rate; }));
  }
}

TEST(RateChoice, FindsTheBottomOfAPlantedCurve) {
  std::vector<TriedRate> all;
  for (const double rate : {1e-4, 1e-3, 1e-2, 1e-1, 1.0}) {
    const double distance = std::log10(rate) + 2;
    all.push_back(tried(rate, {2 + distance * distance, 2.01 + distance * distance}));
  }
  EXPECT_EQ(choose_rate(all, Better::lower)->rate, 1e-2);
  EXPECT_FALSE(choose_rate(all, Better::lower)->edges.any());
}

TEST(RateChoice, TakesTheSmallerRateWithinOneStandardErrorOfTheDifference) {
  // Worse by 0.02 and 0.00: mean 0.01, standard error 0.01.
  const auto tied = choose_rate({tried(1e-3, {2.02, 3.0}), tried(1e-2, {2.0, 3.0})}, Better::lower);
  EXPECT_EQ(tied->rate, 1e-3);
  EXPECT_EQ(tied->best, 1e-2);
  // Worse by 0.02 and 0.01: the seeds differ by more, but the pairs do not.
  EXPECT_EQ(choose_rate({tried(1e-3, {2.02, 3.01}), tried(1e-2, {2.0, 3.0})}, Better::lower)->rate,
            1e-2);
  EXPECT_EQ(choose_rate({tried(1e-2, {2.0}), tried(1e-3, {2.0})}, Better::lower)->rate, 1e-3);
  EXPECT_EQ(choose_rate({tried(1e-2, {2.0}), tried(1e-3, {2.0001})}, Better::lower)->rate, 1e-2);
}

TEST(RateChoice, NeverTakesARateAtWhichATrialDiverged) {
  const auto choice = choose_rate(
      {tried(1e-3, {2.5, 2.5}), tried(1e-2, {2.2, 2.2}), tried(1e-1, {1.0, std::nullopt})},
      Better::lower);
  EXPECT_EQ(choice->rate, 1e-2);
  EXPECT_FALSE(choice->edges.high) << "what diverged lies above it";
  EXPECT_FALSE(
      choose_rate({tried(1e-3, {std::nullopt}), tried(1e-2, {std::nullopt})}, Better::lower));
}

TEST(RateChoice, TakesTheHighestOfAMetricThatIsBetterWhenHigher) {
  const std::vector<TriedRate> all = {tried(1e-3, {.3, .4}), tried(1e-2, {.7, .8}),
                                      tried(1e-1, {.2, .3})};
  EXPECT_EQ(choose_rate(all, Better::higher)->rate, 1e-2);
}

TEST(RateChoice, IsAtAnEdgeWhereNothingWasTriedBeyond) {
  const std::vector<TriedRate> falling = {tried(1e-3, {3.0, 3.1}), tried(1e-2, {2.0, 2.1})};
  const std::vector<TriedRate> rising = {tried(1e-3, {2.0, 2.1}), tried(1e-2, {3.0, 3.1})};
  EXPECT_TRUE(choose_rate(falling, Better::lower)->edges.high);
  EXPECT_FALSE(choose_rate(falling, Better::lower)->edges.low);
  EXPECT_TRUE(choose_rate(rising, Better::lower)->edges.low);
  EXPECT_FALSE(choose_rate(rising, Better::lower)->edges.high);
}

TEST(RateExtension, AsksForLowerRatesWhereAnArmDivergedAtEveryOne) {
  const Edges edges = edges_of({RateChoice{.rate = 1e-2, .best = 1e-2}, std::nullopt});
  EXPECT_TRUE(edges.low);
  EXPECT_FALSE(edges.high);
}

TEST(RateExtension, GoesOnInTheRatioOfTheLastTwoOnTheSidesAskedForAlone) {
  const std::vector<double> rates = {1e-3, 2e-3, 1e-2};
  EXPECT_EQ(extended(rates, {}, 3), rates);
  EXPECT_EQ(extended(rates, {true, true}, 0), rates);
  EXPECT_EQ(extended(rates, {true, false}, 2),
            (std::vector<double>{2.5e-4, 5e-4, 1e-3, 2e-3, 1e-2}));
  EXPECT_EQ(extended(rates, {false, true}, 1), (std::vector<double>{1e-3, 2e-3, 1e-2, 5e-2}));
}

TEST(RateExtension, StaysInTheRangeOfTheSetting) {
  EXPECT_EQ(extended({1, 5}, {false, true}, 4), (std::vector<double>{1, 5}));
  EXPECT_EQ(extended({1e-9, 1e-8}, {true, false}, 4), (std::vector<double>{1e-9, 1e-8}));
}

}  // namespace
}  // namespace ablate::plan

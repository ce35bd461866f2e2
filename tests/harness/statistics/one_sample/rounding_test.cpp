// Accuracies are counts over a number of items. Every decision by an order, a sign or a zero must come out as it
// does for the counts, whose differences are exact.

#include "harness/statistics/one_sample/rounding.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "harness/base/rng.h"
#include "harness/base/shuffle.h"
#include "harness/statistics/one_sample/bootstrap.h"
#include "harness/statistics/one_sample/ranks.h"
#include "harness/statistics/one_sample/summary.h"
#include "harness/statistics/one_sample/t_test.h"
#include "harness/statistics/paired/effect_size.h"
#include "harness/statistics/paired/rank_correlation.h"
#include "harness/statistics/paired/sign_flip.h"
#include "harness/statistics/paired/wilcoxon.h"
#include "harness/statistics/sweeps/crossing.h"
#include "harness/statistics/tasks/aggregates.h"
#include "harness/statistics/tasks/critical_difference.h"
#include "harness/statistics/tasks/friedman.h"
#include "harness/statistics/unpaired/effect_size.h"
#include "harness/statistics/unpaired/rank_test.h"
#include "harness/statistics/unpaired/welch.h"

namespace ablate::statistics {
namespace {

using Values = std::vector<double>;

/// The accuracy of each count of `items`, as a probe computes one: not by a division, but as a mean.
Values accuracies(const Values& counts, std::int64_t items) {
  Values all;
  for (const double count : counts) {
    double sum = 0;
    for (std::int64_t item = 0; item < items; ++item)
      sum += (static_cast<double>(item) < count ? 1.0 : 0.0) / static_cast<double>(items);
    all.push_back(sum);
  }
  return all;
}

/// Two arms' counts that are close, so that there are ties and zeros, and their accuracies.
struct TwoArms {
  Values x_counts, y_counts, x, y;

  TwoArms(std::int64_t items, std::size_t seeds, Rng rng) {
    for (std::size_t seed = 0; seed < seeds; ++seed) {
      const std::int64_t middle = items / 2 + rng.below(items / 4);
      x_counts.push_back(static_cast<double>(middle + rng.below(5)));
      y_counts.push_back(static_cast<double>(middle + rng.below(5)));
    }
    x = accuracies(x_counts, items);
    y = accuracies(y_counts, items);
  }
};

void for_random_arms(const std::function<void(const TwoArms&)>& check) {
  for (const std::int64_t items : {20, 40, 49, 200, 1000, 10'000})
    for (std::uint64_t run = 0; run < 40; ++run)
      check({items, 6 + static_cast<std::size_t>(run % 5), Rng(run).fork(items)});
}

TEST(Rounding, TheSignedRankTestOfAccuraciesIsThatOfTheirCounts) {
  const Values x = {.6, .95, .55, .7, .575, .875}, y = {.65, 1.0, .6, .675, .525, .925};
  Values plain;
  for (std::size_t i = 0; i < x.size(); ++i) plain.push_back(x[i] - y[i]);
  EXPECT_EQ(wilcoxon(plain).p, .375) << "-2 -2 -2 1 2 -2 fortieths";
  EXPECT_EQ(wilcoxon(differences(x, y)).p, .375);
  for_random_arms([](const TwoArms& arms) {
    const SignedRank exact = wilcoxon(differences(arms.x_counts, arms.y_counts)),
                     seen = wilcoxon(differences(arms.x, arms.y));
    EXPECT_EQ(seen.w, exact.w);
    EXPECT_EQ(seen.p, exact.p);
  });
}

TEST(Rounding, TheSignFlipTestOfAccuraciesIsThatOfTheirCounts) {
  for_random_arms([](const TwoArms& arms) {
    const Values exact = differences(arms.x_counts, arms.y_counts),
                 seen = differences(arms.x, arms.y);
    EXPECT_EQ(sign_flip_p(seen), sign_flip_p(exact));
    EXPECT_EQ(probability_above_zero(seen), probability_above_zero(exact));
  });
}

TEST(Rounding, RanksOfAccuraciesAreThoseOfTheirCounts) {
  for_random_arms([](const TwoArms& arms) {
    Values counts = arms.x_counts, fractions = arms.x;
    for (std::size_t i = 0; i < arms.y.size(); ++i) {  // the same counts, computed in another way
      counts.push_back(arms.x_counts[i]);
      fractions.push_back(arms.x[i] + 1e-15);
    }
    EXPECT_EQ(midranks(fractions), midranks(counts));
    EXPECT_EQ(probability_of_superiority(arms.x, arms.y),
              probability_of_superiority(arms.x_counts, arms.y_counts));
    EXPECT_EQ(mann_whitney_p(arms.x, arms.y), mann_whitney_p(arms.x_counts, arms.y_counts));
    EXPECT_EQ(asymptotic_mann_whitney_p(arms.x, arms.y),
              asymptotic_mann_whitney_p(arms.x_counts, arms.y_counts));
  });
}

TEST(Rounding, ArmsWhoseMeansOverSeedsAreEqualTieOnATask) {
  // Three arms whose seeds have the same accuracies in another order, or others of the same mean.
  const Values first = {mean(Values{.1, .7, .4}), .5, .5, .5, .5, .5},
               second = {mean(Values{.7, .4, .1}), .5, .5, .5, .5, .5},
               third = {mean(Values{.3, .2, .7}), .5, .5, .5, .5, .5};
  const Friedman result = friedman({first, second, third});
  EXPECT_EQ(result.mean_ranks, (Values{2, 2, 2}));
  EXPECT_EQ(result.p, 1);
  EXPECT_EQ(critical_difference({first, second, third}).p_adjusted[0][2], 1);
}

TEST(Rounding, AnAccuracyAtAThresholdIsNotAboveIt) {
  EXPECT_EQ(performance_profile({{.1 + .2}}, Values{.3}), Values{0});
}

TEST(Rounding, AMeanDoesNotDependOnTheOrder) {
  for_random_arms([](const TwoArms& arms) {
    Values shuffled = arms.x;
    Rng rng(7);
    for (int run = 0; run < 5; ++run) {
      shuffle(std::span(shuffled), rng);
      EXPECT_EQ(mean(shuffled), mean(arms.x));
      EXPECT_EQ(deviation(shuffled), deviation(arms.x));
    }
  });
}

TEST(Rounding, DifferencesThatCancelHaveTheMeanZeroAndNoSign) {
  EXPECT_EQ(mean(Values{.1, .2, -.3}), 0);
  EXPECT_EQ(mean(Values{1e-9, 2e-9, -3e-9}), 0);
  EXPECT_NE(mean(Values{.1, .2, -.3 + 1e-9}), 0);
  EXPECT_EQ(sign_changes({{1, 2}, {.3, -.3 + 1e-16}, {3, 1}}), 0u);
}

TEST(Rounding, EqualDifferencesHaveNoSpread) {
  const Values x = {.65, 1.0, .6, .925}, y = {.6, .95, .55, .875}, apart = differences(x, y);
  EXPECT_FALSE(one_sample_t_test(apart));
  EXPECT_FALSE(standardized_difference(apart));
  EXPECT_FALSE(bootstrap_mean(apart, Rng(1)));
  EXPECT_FALSE(variance_ratio_of_pairing(x, y));
  const Values same = {.3, .1 + .2, .3}, lower = {.7 - .6, .1, .1};
  EXPECT_EQ(deviation(same), 0);
  EXPECT_FALSE(welch_t_test(same, lower));
  EXPECT_FALSE(hedges_g(same, lower));
}

TEST(Rounding, KeepsWhatIsApart) {
  EXPECT_EQ(difference(1, 1 - 1e-11), 1 - (1 - 1e-11));
  EXPECT_EQ(difference(.1 + .2, .3), 0);
  EXPECT_EQ(difference(0, 0), 0);
  const Values values = {3, -2, 2 + 1e-11, 0, -2};
  EXPECT_EQ(tied(values), values);
  EXPECT_EQ(tied(Values{-.3, .1 + .2, 1e-17}), (Values{-.3, .3, 0}));
  EXPECT_TRUE(tied({}).empty());
}

}  // namespace
}  // namespace ablate::statistics

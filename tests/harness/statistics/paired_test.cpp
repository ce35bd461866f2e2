// Statistics of paired arms against reference values (scipy 1.10.1, statsmodels 0.13.5) and general
// properties.

#include "harness/statistics/paired.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "harness/base/rng.h"
#include "harness/statistics/power.h"
#include "harness/statistics/sign_flip.h"

namespace ablate::statistics {
namespace {

const std::vector<double> kDifferences = {.041, .009, .033, .025, .032};

/// The definition, pattern by pattern.
double enumerated_p(const std::vector<double>& differences) {
  double seen = 0;
  for (const double difference : differences) seen += difference;
  int reached = 0;
  const unsigned patterns = 1u << differences.size();
  for (unsigned pattern = 0; pattern < patterns; ++pattern) {
    double sum = 0;
    for (std::size_t i = 0; i < differences.size(); ++i) {
      sum += pattern >> i & 1 ? differences[i] : -differences[i];
    }
    if (std::abs(sum) >= std::abs(seen) - 1e-12) ++reached;
  }
  return static_cast<double>(reached) / patterns;
}

TEST(Paired, MeanAndDeviationAgreeWithTheReference) {
  EXPECT_NEAR(mean(kDifferences), .028, 1e-15);
  EXPECT_NEAR(deviation(kDifferences), .01204159457879214, 1e-15);
}

TEST(Paired, EqualValuesHaveExactlyTheirMeanAndNoDeviation) {
  const std::vector<double> same(7, 0.1);
  EXPECT_EQ(mean(same), 0.1);
  EXPECT_EQ(deviation(same), 0);
}

TEST(Paired, IntervalAgreesWithTheReference) {
  const auto interval = t_interval(kDifferences);
  ASSERT_TRUE(interval);
  EXPECT_NEAR(interval->low, .013048385530548177, 1e-15);
  EXPECT_NEAR(interval->high, .04295161446945187, 1e-15);
}

TEST(Paired, OneValueHasNoInterval) {
  EXPECT_FALSE(t_interval(std::vector<double>{1.0}));
  EXPECT_FALSE(t_interval({}));
}

TEST(Paired, IntervalCoversTheTruthAsOftenAsItSays) {
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

TEST(SignFlip, AgreesWithTheReference) { EXPECT_EQ(sign_flip_p(kDifferences), .0625); }

TEST(SignFlip, CountsWhatTheDefinitionCounts) {
  Rng rng(2);
  for (int run = 0; run < 200; ++run) {
    std::vector<double> differences(static_cast<std::size_t>(1 + run % 10));
    // Multiples of a tenth, so that patterns tie and their sums round differently.
    for (double& value : differences) value = static_cast<double>(rng.below(9) - 3) / 10;
    EXPECT_DOUBLE_EQ(sign_flip_p(differences), enumerated_p(differences));
  }
}

TEST(SignFlip, KnowsNeitherSignNorOrderNorScale) {
  const std::vector<double> mirrored = {-.032, -.025, -.033, -.009, -.041};
  const std::vector<double> scaled = {41e6, 9e6, 33e6, 25e6, 32e6};
  EXPECT_EQ(sign_flip_p(mirrored), sign_flip_p(kDifferences));
  EXPECT_EQ(sign_flip_p(scaled), sign_flip_p(kDifferences));
}

TEST(SignFlip, ReachesItsLeastValueWhenAllDifferencesAgree) {
  for (std::int64_t n = 1; n <= 32; ++n) {
    EXPECT_DOUBLE_EQ(sign_flip_p(std::vector<double>(static_cast<std::size_t>(n), .5)),
                     minimum_sign_flip_p(n));
  }
  EXPECT_EQ(minimum_sign_flip_p(6), .03125);
  EXPECT_EQ(minimum_sign_flip_p(0), 1);
  EXPECT_EQ(fewest_for_sign_flip(.05), 6);
  EXPECT_EQ(fewest_for_sign_flip(.03125), 7) << "below the level, not at it";
  EXPECT_EQ(fewest_for_sign_flip(.05 / 11), 9);
}

TEST(SignFlip, SaysNothingWithoutDifferences) {
  EXPECT_EQ(sign_flip_p({}), 1);
  EXPECT_EQ(sign_flip_p(std::vector<double>(6, 0.0)), 1);
}

/// All sums of the values under every choice of signs, ascending.
std::vector<double> all_sums(std::span<const double> values) {
  std::vector<double> sums = {0};
  for (const double value : values) {
    const std::size_t previous = sums.size();
    for (std::size_t i = 0; i < previous; ++i) {
      sums.push_back(sums[i] + value);
      sums[i] -= value;
    }
  }
  std::sort(sums.begin(), sums.end());
  return sums;
}

/// The definition for more differences than can be enumerated pattern by pattern: each sum of one
/// half is completed by a sum of the other.
double counted_p(std::span<const double> differences) {
  double seen = 0;
  for (const double difference : differences) seen += difference;
  const std::vector<double> others = all_sums(differences.subspan(differences.size() / 2));
  double reached = 0;
  for (const double sum : all_sums(differences.first(differences.size() / 2)))
    reached += static_cast<double>(
        others.end() - std::lower_bound(others.begin(), others.end(), std::abs(seen) - sum));
  return 2 * std::ldexp(reached, -static_cast<int>(differences.size()));
}

TEST(SignFlip, OfManyEqualDifferencesIsTheBinomialTest) {
  // 13 of 40 against the others: 2 P(Bin(40, 1/2) <= 13).
  std::vector<double> differences(40, 1.0);
  std::fill_n(differences.begin(), 13, -1.0);
  EXPECT_NEAR(sign_flip_p(differences), 0.03847730828420026, 1e-15);
}

TEST(SignFlip, OfManyDifferencesIsCloseToTheDefinition) {
  Rng rng(4);
  for (int run = 0; run < 12; ++run) {
    std::vector<double> differences(34);
    for (double& value : differences) value = rng.normal() + 0.1 * (run % 6);
    const double exact = counted_p(differences);
    EXPECT_NEAR(sign_flip_p(differences), exact, 0.002 * exact) << "at least two digits agree";
  }
}

TEST(SignFlip, OfManyDifferencesReachesItsSmallestValueWhenAllAgree) {
  for (const std::int64_t n : {33, 40, 100, 900}) {
    EXPECT_DOUBLE_EQ(sign_flip_p(std::vector<double>(static_cast<std::size_t>(n), .3)),
                     minimum_sign_flip_p(n));
  }
  EXPECT_GT(sign_flip_p(std::vector<double>(3000, .3)), 0) << "even where 2^-n is no double";
}

TEST(SignFlip, OfManyDifferencesKnowsNeitherSignNorOrderNorScale) {
  Rng rng(5);
  std::vector<double> differences(50);
  for (double& value : differences) value = rng.normal() + 0.3;
  const double p = sign_flip_p(differences);
  for (double& value : differences) value *= -1024;
  std::reverse(differences.begin(), differences.end());
  EXPECT_NEAR(sign_flip_p(differences), p, 1e-12 * p);
}

TEST(SignFlip, OfDifferencesThatCancelIsOne) {
  std::vector<double> differences(40, 1.0);
  std::fill_n(differences.begin(), 20, -1.0);
  EXPECT_EQ(sign_flip_p(differences), 1);
}

TEST(SignFlip, RejectsTheTruthNoMoreOftenThanAlpha) {
  Rng rng(3);
  int rejected = 0;
  for (int run = 0; run < 4000; ++run) {
    std::vector<double> differences(8);
    for (double& value : differences) value = rng.normal();
    if (!(sign_flip_p(differences) >= .05)) ++rejected;  // a NaN counts
  }
  EXPECT_LE(rejected / 4000.0, .05 + .014);  // four standard errors
}

TEST(Corrections, HolmAgreesWithTheReference) {
  const auto adjusted = holm(std::vector<double>{.01, .04, .03, .005, .2});
  EXPECT_THAT(adjusted, testing::Pointwise(testing::DoubleNear(1e-15),
                                           std::vector<double>{.04, .09, .09, .025, .2}));
}

TEST(Corrections, HolmNeverLowersNorPassesOne) {
  const std::vector<double> p = {.9, .4, .04, .04};
  const auto adjusted = holm(p);
  for (std::size_t i = 0; i < p.size(); ++i) {
    EXPECT_GE(adjusted[i], p[i]);
    EXPECT_LE(adjusted[i], 1);
  }
  EXPECT_TRUE(holm({}).empty());
}

TEST(Corrections, NoneLeavesValuesAlone) {
  const std::vector<double> p = {.01, .04};
  EXPECT_EQ(adjust(p, Correction::none), p);
  EXPECT_EQ(adjust(p, Correction::holm), holm(p));
}

TEST(Equivalence, AgreesWithTheReference) {
  // The larger of the two one-sided p-values, 6.604845289526207e-05 and .007516478937093247.
  EXPECT_NEAR(equivalence_p(kDifferences, .05), .007516478937093247, 1e-14);
}

TEST(Equivalence, KnowsNoSign) {
  std::vector<double> mirrored = kDifferences;
  for (double& difference : mirrored) difference = -difference;
  EXPECT_DOUBLE_EQ(equivalence_p(mirrored, .05), equivalence_p(kDifferences, .05));
}

TEST(Equivalence, IsAHalfAtTheMarginAndASignTestWithoutSpread) {
  EXPECT_NEAR(equivalence_p(kDifferences, .028), .5, 1e-12);
  EXPECT_EQ(equivalence_p(std::vector<double>(5, .01), .02), 1.0 / 32);
  EXPECT_EQ(equivalence_p(std::vector<double>(2, 0.0), .02), .25);
  EXPECT_EQ(equivalence_p(std::vector<double>(5, .02), .02), 1);
}

TEST(Equivalence, TakesRoundingForNoSpread) {
  const std::vector<double> equal = {.2625 - .245, .2175 - .2};  // two test accuracies, twice
  ASSERT_NE(equal[0], equal[1]);
  EXPECT_EQ(equivalence_p(equal, .02), .25);
}

TEST(Power, IsNothingWhereTheSeedsCannotReachSignificance) {
  EXPECT_EQ(sign_flip_power(5, .05, 100), 0);
  EXPECT_FALSE(minimum_detectable_effect(5, .05, 1));
  EXPECT_FALSE(minimum_detectable_effect(8, .05, 7));  // .05 / 7 is below 2 / 2^8
  EXPECT_TRUE(minimum_detectable_effect(6, .05, 1));
}

TEST(Power, LeastDetectableEffectAgreesWithTheReference) {
  EXPECT_NEAR(*minimum_detectable_effect(6, .05, 1), 1.79, .005);
  EXPECT_NEAR(*minimum_detectable_effect(8, .05, 4), 1.92, .005);
}

TEST(Power, ApproachesTheTTestsAsSeedsGrow) {
  // 80 % effects of the paired t-test: .78 at 15 seeds, .66 at 20, .53 at 30.
  EXPECT_NEAR(*minimum_detectable_effect(15, .05, 1), .78, .03);
  EXPECT_NEAR(*minimum_detectable_effect(20, .05, 1), .66, .03);
  EXPECT_NEAR(*minimum_detectable_effect(30, .05, 1), .53, .005);
}

TEST(Power, RisesWithTheEffectAndIsTheSameEachTime) {
  double previous = 0;
  for (double effect = 0; effect < 3; effect += .25) {
    const double power = sign_flip_power(9, .05, effect);
    EXPECT_GE(power, previous);
    EXPECT_EQ(power, sign_flip_power(9, .05, effect));
    previous = power;
  }
  EXPECT_GT(previous, .99);
}

TEST(Power, UnderNoEffectIsTheTestsSize) {
  EXPECT_NEAR(sign_flip_power(9, .05, 0), .0469, .014);  // 24 of 512 patterns; four standard errors
}

TEST(Verdict, HasANameForEach) {
  EXPECT_EQ(name_of(Verdict::better), "better");
  EXPECT_EQ(name_of(Verdict::worse), "worse");
  EXPECT_EQ(name_of(Verdict::equivalent), "equivalent");
  EXPECT_EQ(name_of(Verdict::inconclusive), "inconclusive");
  EXPECT_EQ(name_of(Verdict::incomparable), "incomparable");
}

}  // namespace
}  // namespace ablate::statistics

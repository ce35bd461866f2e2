#include "harness/statistics/paired/sign_flip.h"

#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "harness/base/rng.h"
#include "harness/statistics/families/corrections.h"
#include "tests/harness/statistics/reference_values.h"

namespace ablate::statistics {
namespace {

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

TEST(SignFlip, AgreesWithTheReference) { EXPECT_EQ(sign_flip_p(kImprovements), .0625); }

TEST(SignFlip, SmallestPAgreesWithTheReference) {
  const std::vector<double> smallest = {.25,     .125,     .0625,     .03125,
                                        .015625, .0078125, .00390625, .001953125};
  for (std::int64_t n = 3; n <= 10; ++n)
    EXPECT_EQ(minimum_sign_flip_p(n), smallest[static_cast<std::size_t>(n - 3)]) << n;
}

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
  EXPECT_EQ(sign_flip_p(mirrored), sign_flip_p(kImprovements));
  EXPECT_EQ(sign_flip_p(scaled), sign_flip_p(kImprovements));
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

TEST(SignFlip, SmallestValuesAgreeWithTheReference) {
  const std::vector<double> smallest = {.25,     .125,     .0625,     .03125,
                                        .015625, .0078125, .00390625, .001953125};
  for (std::size_t i = 0; i < smallest.size(); ++i)
    EXPECT_EQ(minimum_sign_flip_p(static_cast<std::int64_t>(i + 3)), smallest[i]);
}

/// How many of 1,000 experiments without any effect have a significant difference: `arms` against
/// one baseline over the same seeds, adjusted by Holm's method.
int false_findings(std::size_t seeds, std::size_t arms) {
  int found = 0;
  for (std::uint64_t experiment = 0; experiment < 1000; ++experiment) {
    Rng rng = Rng(seeds * 100 + arms).fork(experiment);
    std::vector<double> baseline(seeds), p;
    for (double& value : baseline) value = rng.normal();
    for (std::size_t arm = 0; arm < arms; ++arm) {
      std::vector<double> differences;
      for (const double value : baseline) differences.push_back(rng.normal() - value);
      p.push_back(sign_flip_p(differences));
    }
    const std::vector<double> adjusted = holm(p);
    found += *std::min_element(adjusted.begin(), adjusted.end()) < .05;
  }
  return found;
}

TEST(AnAgainstA, ASingleComparisonIsFoundAsOftenAsItsLevelSays) {
  // Of 2^n patterns an even number lie below .05: 2 of 64, 12 of 256, 50 of 1,024. The tolerance is
  // four standard errors, 4 sqrt(1000 p (1 - p)).
  EXPECT_NEAR(false_findings(6, 1), 1000 * 2 / 64.0, 22);
  EXPECT_NEAR(false_findings(8, 1), 1000 * 12 / 256.0, 27);
  EXPECT_NEAR(false_findings(10, 1), 1000 * 50 / 1024.0, 27);
}

TEST(AnAgainstA, AFamilyUnderHolmIsFoundNoMoreOften) {
  EXPECT_EQ(false_findings(6, 3), 0) << "six seeds cannot reach .05 / 3";
  for (const std::size_t seeds : {8, 10}) {
    const int found = false_findings(seeds, 3);
    EXPECT_LE(found, 50 + 27) << seeds;  // four standard errors above .05
    EXPECT_GE(found, 3) << seeds << ": the family can be found at all";
  }
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

}  // namespace
}  // namespace ablate::statistics

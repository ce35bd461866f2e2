// The sequential sign-flip test against its definition, and against experiments without any effect.

#include "harness/statistics/sequential/sequential_sign_flip.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "harness/base/rng.h"
#include "harness/statistics/families/corrections.h"
#include "harness/statistics/paired/sign_flip.h"
#include "harness/statistics/sequential/looks.h"
#include "tests/harness/statistics/reference_values.h"

namespace ablate::statistics {
namespace {

DifferencesByLook drawn(Rng& rng, const Looks& looks, double effect = 0) {
  DifferencesByLook differences;
  std::int64_t seeds = 0;
  for (const std::int64_t look : looks) {
    differences.emplace_back();
    for (; seeds < look; ++seeds) differences.back().push_back(rng.normal() + effect);
  }
  return differences;
}

std::vector<double> all_of(const DifferencesByLook& differences) {
  std::vector<double> all;
  for (const auto& group : differences) all.insert(all.end(), group.begin(), group.end());
  return all;
}

/// The smallest p_l / w_l of the differences under a pattern of signs.
double smallest(const DifferencesByLook& differences, const std::vector<double>& weights,
                unsigned pattern) {
  std::vector<double> seen;
  double t = 1e9;
  for (std::size_t l = 0; l < differences.size(); ++l) {
    for (const double difference : differences[l])
      seen.push_back(pattern >> seen.size() & 1 ? -difference : difference);
    t = std::min(t, sign_flip_p(seen) / weights[l]);
  }
  return t;
}

/// The definition, pattern by pattern.
double enumerated_p(const DifferencesByLook& differences, const std::vector<double>& weights) {
  const std::size_t n = all_of(differences).size();
  const double t = smallest(differences, weights, 0);
  double reached = 0;
  for (unsigned pattern = 0; pattern < 1u << n; ++pattern)
    reached += smallest(differences, weights, pattern) <= t * (1 + 1e-9);
  double to_come = 0;
  for (std::size_t l = differences.size(); l < weights.size(); ++l) to_come += weights[l];
  return std::min(1.0, std::ldexp(reached, -static_cast<int>(n)) + t * to_come);
}

/// Whole numbers that add up to a power of two, so that rounding to steps changes none.
DifferencesByLook exact_differences(Rng& rng) {
  DifferencesByLook differences(3);
  double sum = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    const double size = static_cast<double>(1 + rng.below(200));
    differences[0].push_back(rng.below(4) == 0 ? -size : size);
    sum += size;
  }
  differences[0].push_back(1024 - sum);
  for (std::size_t l = 1; l < 3; ++l)
    for (std::size_t i = 0; i < 2; ++i) {
      const double size = static_cast<double>(1 + rng.below(300));
      differences[l].push_back(rng.below(4) == 0 ? -size : size);
    }
  return differences;
}

TEST(SequentialSignFlip, CountsWhatTheDefinitionCounts) {
  Rng rng(1);
  const std::vector<double> weights = look_weights({5, 7, 9});
  for (int run = 0; run < 40; ++run) {
    DifferencesByLook differences = exact_differences(rng);
    for (std::size_t looks = 3; looks > 0; --looks) {
      differences.resize(looks);
      EXPECT_NEAR(sequential_sign_flip_p(differences, weights), enumerated_p(differences, weights),
                  1e-12)
          << run << ", " << looks << " looks";
    }
  }
}

TEST(SequentialSignFlip, WithOneLookIsThePlainTest) {
  const std::vector<double> values(kImprovements.begin(), kImprovements.end());
  EXPECT_EQ(sequential_sign_flip_p({values}, std::vector<double>{1}), sign_flip_p(values));
  EXPECT_EQ(level_at_look({values}, std::vector<double>{1}, .05), .05);
}

TEST(SequentialSignFlip, NeverRisesFromALookToTheNext) {
  Rng rng(2);
  const Looks looks = {6, 9, 12, 16};
  const std::vector<double> weights = look_weights(looks);
  for (int run = 0; run < 200; ++run) {
    const DifferencesByLook all = drawn(rng, looks, .25 * (run % 4));
    double previous = 1;
    for (std::size_t seen = 1; seen <= looks.size(); ++seen) {
      const double p = sequential_sign_flip_p(
          {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(seen)}, weights);
      EXPECT_LE(p, previous + 1e-12) << "run " << run << ", look " << seen;
      previous = p;
    }
  }
}

TEST(SequentialSignFlip, LiesBetweenItsBounds) {
  Rng rng(3);
  const Looks looks = {6, 10, 14};
  const std::vector<double> weights = look_weights(looks);
  for (int run = 0; run < 200; ++run) {
    const DifferencesByLook differences = drawn(rng, looks, .5);
    std::vector<double> seen, p;
    for (const auto& group : differences) {
      seen.insert(seen.end(), group.begin(), group.end());
      p.push_back(sign_flip_p(seen));
    }
    const double exact = sequential_sign_flip_p(differences, weights);
    // Rounding to 4,096 steps moves a p of these sizes by less than a thousandth.
    EXPECT_LE(exact, sequential_p(p, weights) + .003) << "Bonferroni's inequality";
    EXPECT_GE(exact, *std::min_element(p.begin(), p.end()) - .001);
  }
}

TEST(SequentialSignFlip, KnowsNeitherSignNorScale) {
  Rng rng(4);
  const std::vector<double> weights = look_weights({6, 9});
  DifferencesByLook differences = drawn(rng, {6, 9}, .6);
  const double p = sequential_sign_flip_p(differences, weights);
  for (auto& group : differences)
    for (double& value : group) value *= -1024;
  EXPECT_EQ(sequential_sign_flip_p(differences, weights), p);
}

TEST(SequentialSignFlip, SaysNothingWithoutDifferences) {
  const std::vector<double> weights = look_weights({6, 9});
  EXPECT_EQ(sequential_sign_flip_p({}, weights), 1);
  EXPECT_EQ(sequential_sign_flip_p({{}, {}}, weights), 1);
  EXPECT_EQ(sequential_sign_flip_p({std::vector<double>(6, 0.0)}, weights), 1);
}

TEST(SequentialSignFlip, BearsADifferenceOfAnotherSize) {
  const std::vector<double> weights = look_weights({8, 9});
  const DifferencesByLook differences = {std::vector<double>(8, 1e-6), {1e9}};
  EXPECT_EQ(sequential_sign_flip_p(differences, weights), enumerated_p(differences, weights));
}

TEST(SequentialSignFlip, ItsLevelIsThatAtWhichThePlainTestFindsTheSame) {
  Rng rng(5);
  const Looks looks = {6, 9, 14};
  const std::vector<double> weights = look_weights(looks);
  for (int run = 0; run < 100; ++run) {
    const DifferencesByLook differences = drawn(rng, looks);
    const double level = level_at_look(differences, weights, .05);
    EXPECT_GT(level, .05 * weights.back()) << "more than Bonferroni's part";
    EXPECT_LT(level, .05) << "less than without looks";
  }
}

/// How many of `experiments` without any effect find a difference: `arms` against one baseline over
/// the same seeds, adjusted by Holm's method. p never rises, so that it suffices to ask after the
/// last look whether an experiment has stopped at any.
int false_findings(const Looks& looks, std::size_t arms, int experiments) {
  const std::vector<double> weights = look_weights(looks);
  int found = 0;
  for (int experiment = 0; experiment < experiments; ++experiment) {
    Rng rng = Rng(arms).fork(static_cast<std::uint64_t>(experiment));
    const DifferencesByLook baseline = drawn(rng, looks);
    std::vector<double> p;
    for (std::size_t arm = 0; arm < arms; ++arm) {
      DifferencesByLook differences = drawn(rng, looks);
      for (std::size_t l = 0; l < differences.size(); ++l)
        for (std::size_t i = 0; i < differences[l].size(); ++i) differences[l][i] -= baseline[l][i];
      p.push_back(sequential_sign_flip_p(differences, weights));
    }
    const std::vector<double> adjusted = holm(p);
    found += *std::min_element(adjusted.begin(), adjusted.end()) < .05;
  }
  return found;
}

TEST(SequentialAAgainstA, ASingleComparisonIsFoundAsOftenAsAlphaSays) {
  // Four standard errors of 10,000 draws with probability .05: 87. The patterns of 16 signs are fine
  // enough that the level is used up to a twentieth.
  const int found = false_findings({8, 12, 16}, 1, 10'000);
  EXPECT_LE(found, 500 + 87);
  EXPECT_GE(found, 475 - 87);
}

TEST(SequentialAAgainstA, AFamilyUnderHolmIsFoundNoMoreOften) {
  // 10,000 experiments; four standard errors of .05 are 87. Arms share a baseline, so Holm's
  // inequality is not an equality.
  const int found = false_findings({9, 12, 15}, 3, 10'000);
  EXPECT_LE(found, 500 + 87);
  EXPECT_GE(found, 250);
}

TEST(SequentialAAgainstA, LookingAgainWithoutCorrectionWouldFindMore) {
  int found = 0;
  for (std::uint64_t experiment = 0; experiment < 2000; ++experiment) {
    Rng rng = Rng(7).fork(experiment);
    std::vector<double> seen;
    bool stopped = false;
    for (const auto& group : drawn(rng, {8, 12, 16})) {
      seen.insert(seen.end(), group.begin(), group.end());
      stopped = stopped || sign_flip_p(seen) < .05;
    }
    found += stopped;
  }
  EXPECT_GT(found, 2000 * (.05 + 4 * .0049)) << "four standard errors above .05";
}

}  // namespace
}  // namespace ablate::statistics

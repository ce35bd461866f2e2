#include "harness/statistics/families/corrections.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <algorithm>
#include <vector>

#include "harness/base/rng.h"

namespace ablate::statistics {
namespace {

const std::vector<double> kP = {.01, .04, .03, .005, .2};

void expect_near(const std::vector<double>& adjusted, const std::vector<double>& reference,
                 double tolerance = 1e-15) {
  EXPECT_THAT(adjusted, testing::Pointwise(testing::DoubleNear(tolerance), reference));
}

TEST(Corrections, AgreeWithTheReference) {
  expect_near(bonferroni(kP), {.05, .2, .15, .025, 1});
  expect_near(holm(kP), {.04, .09, .09, .025, .2});
  expect_near(hommel(kP), {.04, .08, .06, .025, .2});
  expect_near(benjamini_hochberg(kP), {.025, .05, .05, .025, .2});
  expect_near(benjamini_yekutieli(kP), {.0570833, .1141667, .1141667, .0570833, .4566667}, 5e-8);
}

/// The largest p of Simes' tests of all sets of hypotheses that hold the given one: the closed test
/// that Hommel's method is a short cut for.
double closed_test_p(const std::vector<double>& p, std::size_t hypothesis) {
  double largest = 0;
  for (unsigned set = 1; set < 1u << p.size(); ++set) {
    if ((set >> hypothesis & 1) == 0) continue;
    std::vector<double> members;
    for (std::size_t i = 0; i < p.size(); ++i)
      if (set >> i & 1) members.push_back(p[i]);
    std::sort(members.begin(), members.end());
    double simes = 1;
    for (std::size_t i = 0; i < members.size(); ++i)
      simes = std::min(
          simes, static_cast<double>(members.size()) * members[i] / static_cast<double>(i + 1));
    largest = std::max(largest, simes);
  }
  return largest;
}

TEST(Corrections, HommelIsTheClosedTest) {
  Rng rng(1);
  for (int run = 0; run < 100; ++run) {
    std::vector<double> p(static_cast<std::size_t>(1 + run % 8));
    for (double& value : p) value = rng.uniform() * rng.uniform();
    for (std::size_t i = 0; i < p.size(); ++i)
      EXPECT_NEAR(hommel(p)[i], closed_test_p(p, i), 1e-14);
  }
}

TEST(Corrections, AreOrderedByWhatTheyGuarantee) {
  Rng rng(2);
  for (int run = 0; run < 100; ++run) {
    std::vector<double> p(static_cast<std::size_t>(1 + run % 20));
    for (double& value : p) value = rng.uniform() * rng.uniform();
    for (std::size_t i = 0; i < p.size(); ++i) {
      EXPECT_LE(p[i], benjamini_hochberg(p)[i]);
      EXPECT_LE(benjamini_hochberg(p)[i], hommel(p)[i] + 1e-15);
      EXPECT_LE(benjamini_hochberg(p)[i], benjamini_yekutieli(p)[i]);
      EXPECT_LE(hommel(p)[i], holm(p)[i] + 1e-15);
      EXPECT_LE(holm(p)[i], bonferroni(p)[i] + 1e-15);
      EXPECT_LE(bonferroni(p)[i], 1);
    }
  }
}

TEST(Corrections, BenjaminiHochbergKeepsTheFalseDiscoveryRate) {
  Rng rng(3);
  double discovered_falsely = 0;
  constexpr int kRuns = 2000;
  for (int run = 0; run < kRuns; ++run) {
    std::vector<double> p(10);
    for (std::size_t i = 0; i < p.size(); ++i) p[i] = i < 8 ? rng.uniform() : rng.uniform() / 500;
    const std::vector<double> q = benjamini_hochberg(p);
    double found = 0, falsely = 0;
    for (std::size_t i = 0; i < q.size(); ++i) {
      found += q[i] < .1;
      falsely += q[i] < .1 && i < 8;
    }
    discovered_falsely += found > 0 ? falsely / found : 0;
  }
  // Independent tests: exactly .1 times the 8 true hypotheses of 10; four standard errors.
  EXPECT_NEAR(discovered_falsely / kRuns, .08, .013);
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

}  // namespace
}  // namespace ablate::statistics

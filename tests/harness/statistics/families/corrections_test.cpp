#include "harness/statistics/families/corrections.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <algorithm>
#include <vector>

#include "harness/base/rng.h"

namespace ablate::statistics {
namespace {

const std::vector<double> kP = {.01, .04, .03, .005, .2};

void expect_near(const std::vector<double>& adjusted, const std::vector<double>& reference) {
  EXPECT_THAT(adjusted, testing::Pointwise(testing::DoubleNear(1e-15), reference));
}

TEST(Corrections, AgreeWithTheReference) {
  expect_near(holm(kP), {.04, .09, .09, .025, .2});
  expect_near(benjamini_hochberg(kP), {.025, .05, .05, .025, .2});
}

TEST(Corrections, AreOrderedByWhatTheyGuarantee) {
  Rng rng(2);
  for (int run = 0; run < 100; ++run) {
    std::vector<double> p(static_cast<std::size_t>(1 + run % 20));
    for (double& value : p) value = rng.uniform() * rng.uniform();
    for (std::size_t i = 0; i < p.size(); ++i) {
      EXPECT_LE(p[i], benjamini_hochberg(p)[i]);
      EXPECT_LE(benjamini_hochberg(p)[i], holm(p)[i] + 1e-15);
      EXPECT_LE(holm(p)[i], std::min(1.0, static_cast<double>(p.size()) * p[i]) + 1e-15);
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

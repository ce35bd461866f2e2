#include "harness/statistics/items/proportion.h"

#include <gtest/gtest.h>

#include <boost/math/distributions/binomial.hpp>

namespace ablate::statistics {
namespace {

TEST(Proportion, AgreesWithTheReference) {
  const Interval wilson = wilson_interval(437, 500), exact = clopper_pearson_interval(437, 500);
  EXPECT_NEAR(wilson.low, .8420322822801359, 1e-15);
  EXPECT_NEAR(wilson.high, .900264711054623, 1e-15);
  EXPECT_NEAR(exact.low, .8416860057009945, 1e-14);
  EXPECT_NEAR(exact.high, .9018038822152771, 1e-14);
}

TEST(Proportion, StaysWithinZeroAndOne) {
  EXPECT_EQ(wilson_interval(0, 20).low, 0);
  EXPECT_EQ(wilson_interval(20, 20).high, 1);
  EXPECT_GT(wilson_interval(0, 20).high, 0);
  EXPECT_EQ(clopper_pearson_interval(0, 20).low, 0);
  EXPECT_EQ(clopper_pearson_interval(20, 20).high, 1);
}

TEST(Proportion, OfTheOppositeIsTheOpposite) {
  for (std::int64_t k = 0; k <= 20; ++k) {
    EXPECT_NEAR(wilson_interval(k, 20).low, 1 - wilson_interval(20 - k, 20).high, 1e-15);
    EXPECT_NEAR(clopper_pearson_interval(k, 20).low, 1 - clopper_pearson_interval(20 - k, 20).high,
                1e-14);
  }
}

/// The probability that the interval of 30 items contains the truth.
double coverage(Interval (*interval)(std::int64_t, std::int64_t, double), double truth) {
  const boost::math::binomial_distribution<double> items(30, truth);
  double covered = 0;
  for (int k = 0; k <= 30; ++k) {
    const Interval seen = interval(k, 30, .05);
    if (seen.low <= truth && truth <= seen.high) covered += boost::math::pdf(items, k);
  }
  return covered;
}

TEST(Proportion, TheExactIntervalNeverCoversLessThanItSays) {
  double wilson = 0;
  for (int i = 1; i < 100; ++i) {
    EXPECT_GE(coverage(clopper_pearson_interval, i / 100.0), .95) << i;
    wilson += coverage(wilson_interval, i / 100.0) / 99;
  }
  EXPECT_NEAR(wilson, .95, .01) << "on average over proportions";
}

}  // namespace
}  // namespace ablate::statistics

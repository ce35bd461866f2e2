#include "harness/statistics/one_sample/deviation_interval.h"

#include <gtest/gtest.h>

#include <vector>

#include "harness/base/rng.h"
#include "tests/harness/statistics/reference_values.h"

namespace ablate::statistics {
namespace {

TEST(DeviationInterval, AgreesWithTheReference) {
  // sd .01204159457879214 with 4 degrees of freedom; chi-squared quantiles 11.143286781877796 and
  // 0.48441855708793, from SciPy.
  const Interval interval = deviation_interval(kImprovements);
  EXPECT_NEAR(interval.low, .01204159457879214 * std::sqrt(4 / 11.143286781877796), 1e-12);
  EXPECT_NEAR(interval.high, .01204159457879214 * std::sqrt(4 / .48441855708793), 1e-10);
}

TEST(DeviationInterval, HoldsTheTruthAsOftenAsItSays) {
  Rng rng(1);
  int held = 0;
  for (int run = 0; run < 4000; ++run) {
    std::vector<double> values(8);
    for (double& value : values) value = 3 + 2 * rng.normal();
    const Interval interval = deviation_interval(values);
    held += interval.low < 2 && 2 < interval.high;
  }
  EXPECT_NEAR(held / 4000.0, .95, .014) << "four standard errors";
}

TEST(DeviationInterval, OfEqualValuesIsNothing) {
  const Interval interval = deviation_interval(std::vector<double>(5, .7));
  EXPECT_EQ(interval.low, 0);
  EXPECT_EQ(interval.high, 0);
}

}  // namespace
}  // namespace ablate::statistics

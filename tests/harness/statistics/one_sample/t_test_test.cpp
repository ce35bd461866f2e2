#include "harness/statistics/one_sample/t_test.h"

#include <gtest/gtest.h>

#include "harness/statistics/one_sample/summary.h"
#include "tests/harness/statistics/reference_values.h"

namespace ablate::statistics {
namespace {

TEST(TTest, AgreesWithTheReference) {
  const auto test = one_sample_t_test(kImprovements);
  ASSERT_TRUE(test);
  EXPECT_NEAR(test->t, 5.199469468957524, 1e-13);
  EXPECT_EQ(test->degrees, 4);
  EXPECT_NEAR(test->p, .006518518518518193, 1e-15);
}

TEST(TTest, RejectsExactlyWhereTheIntervalExcludesZero) {
  for (double shift = -.06; shift < .06; shift += .0007) {
    std::vector<double> values = kImprovements;
    for (double& value : values) value += shift;
    const Interval interval = *t_interval(values);
    EXPECT_EQ(one_sample_t_test(values)->p<.05, interval.low> 0 || interval.high < 0) << shift;
  }
}

TEST(TTest, SaysNothingOfValuesWithoutSpread) {
  EXPECT_FALSE(one_sample_t_test({}));
  EXPECT_FALSE(one_sample_t_test(std::vector<double>{1}));
  EXPECT_FALSE(one_sample_t_test(std::vector<double>(5, 0.0)));
  const std::vector<double> rounded = {.2625 - .245, .2175 - .2};
  ASSERT_NE(rounded[0], rounded[1]);
  EXPECT_FALSE(one_sample_t_test(rounded));
}

}  // namespace
}  // namespace ablate::statistics

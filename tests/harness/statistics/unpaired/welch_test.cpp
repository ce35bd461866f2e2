#include "harness/statistics/unpaired/welch.h"

#include <gtest/gtest.h>

#include "tests/harness/statistics/reference_values.h"

namespace ablate::statistics {
namespace {

TEST(Welch, AgreesWithTheReference) {
  const auto test = welch_t_test(kBaseline, kArm);
  ASSERT_TRUE(test);
  EXPECT_NEAR(test->t, 4.326679190507889, 1e-12);
  EXPECT_NEAR(test->degrees, 7.568485271107763, 1e-11);
  EXPECT_NEAR(test->p, .0028740787469213303, 1e-15);
}

TEST(Welch, KnowsNoOrder) {
  EXPECT_EQ(welch_t_test(kBaseline, kArm)->p, welch_t_test(kArm, kBaseline)->p);
  EXPECT_EQ(welch_t_test(kBaseline, kArm)->t, -welch_t_test(kArm, kBaseline)->t);
}

TEST(Welch, TheIntervalEndsAtZeroWhereAlphaIsP) {
  const auto ends = welch_interval(kBaseline, kArm, welch_t_test(kBaseline, kArm)->p);
  EXPECT_NEAR(ends->low, 0, 1e-12);
  const double difference = mean(kBaseline) - mean(kArm);
  EXPECT_NEAR(ends->high, 2 * difference, 1e-12);
  const auto usual = welch_interval(kBaseline, kArm);
  EXPECT_GT(usual->low, 0) << "p is below .05";
  EXPECT_LT(usual->high, 2 * difference);
}

TEST(Welch, SaysNothingWithoutSpread) {
  EXPECT_FALSE(welch_t_test(std::vector<double>(3, 1.0), std::vector<double>(3, 2.0)));
  EXPECT_FALSE(welch_t_test(kBaseline, std::vector<double>{1}));
  EXPECT_FALSE(welch_interval(kBaseline, std::vector<double>{1}));
}

}  // namespace
}  // namespace ablate::statistics

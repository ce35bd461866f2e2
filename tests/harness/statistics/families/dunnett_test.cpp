#include "harness/statistics/families/dunnett.h"

#include <gtest/gtest.h>

#include <cmath>

#include "harness/base/rng.h"
#include "harness/statistics/one_sample/t_test.h"

namespace ablate::statistics {
namespace {

TEST(Dunnett, AgreesWithTheReference) {
  // Dunnett 1955: blood counts of animals under two drugs.
  const std::vector<double> control = {7.40, 8.50, 7.20, 8.24, 9.84, 8.32};
  const std::vector<TTest> tests =
      dunnett(control, {{9.76, 8.80, 7.68, 9.36}, {12.80, 9.68, 12.16, 9.20, 10.55}});
  ASSERT_EQ(tests.size(), 2u);
  EXPECT_NEAR(tests[0].t, .8570321259343804, 1e-13);
  EXPECT_NEAR(tests[1].t, 3.693752311235726, 1e-13);
  EXPECT_EQ(tests[0].degrees, 12);
  EXPECT_NEAR(tests[0].p, .620101980018, 1e-11);
  EXPECT_NEAR(tests[1].p, .005825360848, 1e-11);
}

// The critical values of tables at 5 %, for 2 to 9 arms.
TEST(Dunnett, OfCriticalValuesIsTheLevel) {
  const auto p = [](double t, std::size_t arms, double degrees) {
    return dunnett_p(t, std::vector<double>(arms, std::sqrt(.5)), degrees);
  };
  EXPECT_NEAR(p(2.56833888, 2, 10), .05, 1e-9);
  EXPECT_NEAR(p(2.59232074, 3, 16), .05, 1e-9);
  EXPECT_NEAR(p(2.65102959, 4, 20), .05, 1e-9);
  EXPECT_NEAR(p(2.85557333, 9, 30), .05, 1e-9);
}

TEST(Dunnett, OfOneArmIsTheTTest) {
  for (const double degrees : {2.0, 8.0, 100.0})
    for (const double t : {0.0, .5, 2.0, 5.0})
      EXPECT_NEAR(dunnett_p(t, std::vector<double>{std::sqrt(.5)}, degrees),
                  two_sided_t_p(t, degrees), 1e-10)
          << degrees << ' ' << t;
}

TEST(Dunnett, LiesBetweenOneTestAndBonferroni) {
  const std::vector<double> loadings(5, std::sqrt(.5));
  for (const double t : {1.0, 2.0, 3.0}) {
    const double single = two_sided_t_p(t, 20), p = dunnett_p(t, loadings, 20);
    EXPECT_GT(p, single);
    EXPECT_LT(p, 5 * single);
    EXPECT_LT(p, 1 - std::pow(1 - single, 5)) << "less than if the arms shared no baseline";
  }
}

TEST(Dunnett, IsWhatSimulationFinds) {
  Rng rng(1);
  int exceeded = 0;
  constexpr int kRuns = 20'000;
  for (int run = 0; run < kRuns; ++run) {
    const double shared = rng.normal();
    double squares = 0;
    for (int i = 0; i < 12; ++i) squares += std::pow(rng.normal(), 2);
    const double s = std::sqrt(squares / 12);
    bool any = false;
    for (int arm = 0; arm < 3; ++arm)
      any = any || std::abs(rng.normal() + shared) / std::sqrt(2.0) / s > 2;
    exceeded += any;
  }
  const double p = dunnett_p(2, std::vector<double>(3, std::sqrt(.5)), 12);
  EXPECT_NEAR(static_cast<double>(exceeded) / kRuns, p, .01);  // four standard errors
}

}  // namespace
}  // namespace ablate::statistics

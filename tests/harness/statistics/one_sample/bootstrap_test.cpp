#include "harness/statistics/one_sample/bootstrap.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/harness/statistics/reference_values.h"

namespace ablate::statistics {
namespace {

TEST(Bootstrap, AgreesWithTheReference) {
  const auto bootstrap = bootstrap_mean(kImprovements, Rng(0));
  ASSERT_TRUE(bootstrap);
  EXPECT_NEAR(bootstrap->standard_error, .004816637831516919, 1e-15);
  EXPECT_NEAR(bootstrap->percentile.low, .0182, 1e-15);
  EXPECT_NEAR(bootstrap->percentile.high, .0362, 1e-15);
  EXPECT_NEAR(bootstrap->bias_correction, -.056579707141646084, 1e-12);
  EXPECT_NEAR(bootstrap->acceleration, -.053693198181297176, 1e-12);
  EXPECT_NEAR(bootstrap->bca_fractions.low, .010225332255055298, 1e-12);
  EXPECT_NEAR(bootstrap->bca_fractions.high, .9525717426214219, 1e-12);
  EXPECT_NEAR(bootstrap->bca.low, .0168, 1e-15);
  EXPECT_NEAR(bootstrap->bca.high, .0358, 1e-15);
}

/// The means of all n^n resamples, ascending.
std::vector<double> all_means(const std::vector<double>& values) {
  std::vector<double> sums = {0};
  for (std::size_t drawn = 0; drawn < values.size(); ++drawn) {
    std::vector<double> longer;
    for (const double sum : sums)
      for (const double value : values) longer.push_back(sum + value);
    sums = std::move(longer);
  }
  for (double& sum : sums) sum /= static_cast<double>(values.size());
  std::sort(sums.begin(), sums.end());
  return sums;
}

TEST(Bootstrap, CountsEveryResample) {
  Rng rng(1);
  for (std::size_t n = 2; n <= 7; ++n) {
    std::vector<double> values(n);
    for (double& value : values) value = rng.normal();
    const std::vector<double> means = all_means(values);
    const Interval counted = bootstrap_mean(values, rng)->percentile;
    const auto place = [&](double fraction) {
      return static_cast<std::size_t>(std::ceil(fraction * static_cast<double>(means.size()))) - 1;
    };
    EXPECT_NEAR(counted.low, means[place(.025)], 1e-12) << n;
    EXPECT_NEAR(counted.high, means[place(.975)], 1e-12) << n;
  }
}

TEST(Bootstrap, StandardErrorIsThatOfThePopulation) {
  Rng rng(2);
  std::vector<double> values(kMaxEnumeratedResamples);
  for (double& value : values) value = rng.normal();
  const auto n = static_cast<double>(values.size());
  const double exact = deviation(values) * std::sqrt((n - 1) / n) / std::sqrt(n);
  EXPECT_NEAR(bootstrap_mean(values, rng)->standard_error, exact, 1e-12);
  values.push_back(rng.normal());  // drawn from here on
  const double drawn = deviation(values) * std::sqrt(n / (n + 1)) / std::sqrt(n + 1);
  EXPECT_NEAR(bootstrap_mean(values, rng)->standard_error / drawn, 1, .03);  // four standard errors
}

TEST(Bootstrap, IntervalsMoveAndGrowWithTheValues) {
  const Interval before = bootstrap_mean(kImprovements, Rng(0))->bca;
  std::vector<double> values = kImprovements;
  for (double& value : values) value = 3 - 2 * value;  // mirrored: so are the ends
  const Interval after = bootstrap_mean(values, Rng(0))->bca;
  EXPECT_NEAR(after.low, 3 - 2 * before.high, .002);  // a step of the distribution of means
  EXPECT_NEAR(after.high, 3 - 2 * before.low, .002);
}

TEST(Bootstrap, OfManyValuesIsTheSameForTheSameRng) {
  Rng rng(3);
  std::vector<double> values(15);
  for (double& value : values) value = rng.normal();
  const Interval one = bootstrap_mean(values, Rng(4))->bca,
                 again = bootstrap_mean(values, Rng(4))->bca,
                 other = bootstrap_mean(values, Rng(5))->bca;
  EXPECT_EQ(one.low, again.low);
  EXPECT_EQ(one.high, again.high);
  EXPECT_NE(one.low, other.low);
  EXPECT_NEAR(one.low, other.low, .05);
}

TEST(Bootstrap, BcaShiftsTowardsTheLongTail) {
  std::vector<double> skewed;
  for (int i = 1; i <= 10; ++i) skewed.push_back(std::exp(.4 * i));
  const auto bootstrap = bootstrap_mean(skewed, Rng(0));
  EXPECT_GT(bootstrap->acceleration, 0);
  EXPECT_GT(bootstrap->bca.low, bootstrap->percentile.low);
  EXPECT_GT(bootstrap->bca.high, bootstrap->percentile.high);
}

TEST(Bootstrap, SaysNothingOfValuesWithoutSpread) {
  EXPECT_FALSE(bootstrap_mean({}, Rng(0)));
  EXPECT_FALSE(bootstrap_mean(std::vector<double>{1}, Rng(0)));
  EXPECT_FALSE(bootstrap_mean(std::vector<double>(5, .1), Rng(0)));
}

}  // namespace
}  // namespace ablate::statistics

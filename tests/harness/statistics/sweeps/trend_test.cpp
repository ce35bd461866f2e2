#include "harness/statistics/sweeps/trend.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "harness/base/rng.h"
#include "harness/statistics/one_sample/summary.h"
#include "harness/statistics/paired/sign_flip.h"

namespace ablate::statistics {
namespace {

double product(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

TEST(Trend, AtEqualDistancesIsTheTextbooks) {
  const std::vector<double> places = {1, 2, 3, 4};
  const std::vector<double> linear = polynomial_contrast(places, 1),
                            quadratic = polynomial_contrast(places, 2);
  const std::vector<double> signs = {-3, -1, 1, 3}, bends = {1, -1, -1, 1};
  for (std::size_t i = 0; i < places.size(); ++i) {
    EXPECT_NEAR(linear[i], signs[i] / 10, 1e-15);
    EXPECT_NEAR(quadratic[i], bends[i] / 4, 1e-15);
  }
}

TEST(Trend, RecoversACurveAtAnyPlaces) {
  const std::vector<double> places = {.15, .3, .4, .5, .8};
  std::vector<double> line, curve;
  for (const double place : places) {
    line.push_back(7 - 2 * place);
    curve.push_back(7 - 2 * place + 3 * place * place);
  }
  EXPECT_NEAR(product(polynomial_contrast(places, 1), line), -2, 1e-12);
  EXPECT_NEAR(product(polynomial_contrast(places, 2), line), 0, 1e-12);
  EXPECT_NEAR(product(polynomial_contrast(places, 2), curve), 3, 1e-12);
}

TEST(Trend, ContrastsAreOrthogonalToEachOtherAndToTheMean) {
  const std::vector<double> places = {1e6, 2e6, 5e6, 1e7};
  const auto linear = polynomial_contrast(places, 1), quadratic = polynomial_contrast(places, 2);
  const std::vector<double> ones(places.size(), 1);
  EXPECT_NEAR(product(linear, ones) / std::sqrt(product(linear, linear)), 0, 1e-12);
  EXPECT_NEAR(product(quadratic, ones) / std::sqrt(product(quadratic, quadratic)), 0, 1e-12);
  EXPECT_NEAR(product(linear, quadratic) /
                  std::sqrt(product(linear, linear) * product(quadratic, quadratic)),
              0, 1e-12);
}

TEST(Trend, IsTakenSeedBySeed) {
  const auto linear = polynomial_contrast(std::vector<double>{0, 1, 2}, 1);
  // Seeds lie far apart but agree on the slope, which is what pairing is for.
  const std::vector<double> slopes =
      contrast_by_seed(linear, {{0, 100, -50}, {1, 101, -49}, {2, 102, -48}});
  for (const double slope : slopes) EXPECT_NEAR(slope, 1, 1e-12);
}

TEST(Trend, OfEqualValuesIsExactlyZero) {
  const auto linear = polynomial_contrast(std::vector<double>{.15, .3, .4, .5, .8}, 1);
  const std::vector<std::vector<double>> by_place(linear.size(), {.1, 1e9, -2.3});
  EXPECT_THAT(contrast_by_seed(linear, by_place), testing::Each(0.0));
  double rounded = 0;  // what the sum alone leaves behind
  for (const double coefficient : linear) rounded += coefficient * 1e9;
  EXPECT_EQ(contrast_of(linear, std::vector<double>(linear.size(), 1e9)), 0);
  EXPECT_LT(std::abs(rounded), 1e-3);
}

TEST(Trend, IsFoundNoMoreOftenThanItsLevelWhereThereIsNone) {
  const std::vector<double> places = {.15, .3, .4, .5, .8};
  for (const std::size_t degree : {1, 2}) {
    const auto contrast = polynomial_contrast(places, degree);
    int found = 0;
    for (std::uint64_t run = 0; run < 2000; ++run) {
      Rng rng = Rng(degree).fork(run);
      std::vector<std::vector<double>> by_place(places.size(), std::vector<double>(8));
      for (auto& place : by_place)
        for (double& value : place) value = rng.normal();
      found += sign_flip_p(contrast_by_seed(contrast, by_place)) < .05;
    }
    EXPECT_NEAR(found / 2000.0, 12 / 256.0, .019) << degree;  // four standard errors
  }
}

TEST(CarryingPlace, IsTheOneWithoutWhichMostOfTheTrendIsGone) {
  const std::vector<double> places = {0, .25, .5, .75, .9, 1};
  // The means of a fill-in-the-middle sweep: a slope of .077 without the last value, .324 with it.
  const std::vector<double> seen = {2.9987, 3.0136, 3.0288, 3.0481, 3.0682, 3.507};
  std::vector<std::vector<double>> by_place;
  for (const double value : seen) by_place.push_back({value, value + .01});
  const auto found = carrying_place(places, 1, by_place);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->place, 5u);
  EXPECT_NEAR(mean(found->without), .0746, .0005);
  EXPECT_NEAR(mean(contrast_by_seed(polynomial_contrast(places, 1), by_place)), .324, .001);
}

TEST(CarryingPlace, IsNoneOfAStraightLineHoweverItsPlacesLie) {
  const std::vector<double> places = {0, 1, 1.5, 30};
  std::vector<std::vector<double>> line, square, flat;
  for (const double place : places) {
    line.push_back({2 * place, 2 * place + 1});
    square.push_back({place * place, place * place - 3});
    flat.push_back({1, 2});
  }
  EXPECT_FALSE(carrying_place(places, 1, line));
  EXPECT_FALSE(carrying_place(places, 2, square));
  EXPECT_FALSE(carrying_place(places, 1, flat)) << "no trend";
  EXPECT_FALSE(carrying_place(std::vector<double>{0, 1}, 1, {{0, 0}, {1, 1}})) << "too few places";
}

}  // namespace
}  // namespace ablate::statistics

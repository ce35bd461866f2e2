// Properties of the linear model: it minimises the stated cost, whatever the start and the scale of
// features.

#include "harness/probes/linear/logistic_regression.h"
#include "harness/probes/linear/logistic_cost.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "harness/base/rng.h"
#include "tests/harness/probes/linear/clouds.h"

namespace ablate::probes {
namespace {

using ablate::probes::testing::clouds;
using ablate::probes::testing::fitted;
using ::testing::DoubleNear;
using ::testing::Pointwise;

TEST(LogisticRegression, LearnsClassesThatALineSeparates) {
  const Observations train = clouds(200, 6, 3, 8), test = clouds(200, 6, 3, 8, 2);
  EXPECT_EQ(score(fitted(train, 3), test).accuracy, 1.0);
}

TEST(LogisticRegression, NamesNothingBetterThanChanceWhereFeaturesSayNothing) {
  const Observations train = clouds(400, 4, 4, 0), test = clouds(4000, 4, 4, 0, 2);
  // Standard deviation of the fraction: sqrt(.25 * .75 / 4000) = .0068; 4 of it.
  EXPECT_NEAR(score(fitted(train, 4, 1), test).accuracy, 0.25, 0.028);
}

TEST(LogisticRegression, RefusesFeaturesThatAreNotFinite) {
  Observations rows = clouds(10, 3, 2, 1);
  rows.features[4] = NAN;
  EXPECT_THROW(fitted(rows, 2), std::runtime_error);
}

/// `count` rows from `first` on.
Observations part_of(const Observations& rows, std::size_t first, std::size_t count) {
  const auto width = static_cast<std::ptrdiff_t>(rows.width);
  const auto from = static_cast<std::ptrdiff_t>(first), more = static_cast<std::ptrdiff_t>(count);
  return {.width = rows.width,
          .features = {rows.features.begin() + from * width,
                       rows.features.begin() + (from + more) * width},
          .labels = {rows.labels.begin() + from, rows.labels.begin() + from + more}};
}

// Rows are read four at a time, and classes padded to a multiple of four.
TEST(LogisticRegression, CostIsTheMeanOverRowsWhateverTheirNumber) {
  for (const std::int32_t classes : {2, 3, 4, 5, 9})
    for (std::size_t count = 1; count < 10; ++count) {
      const Observations rows = clouds(10, 5, classes, 1);
      LogisticModel model(rows.width, classes);
      Rng rng(7);
      for (double& weight : model.weights) weight = rng.normal();
      std::vector<double> together(model.weights.size()), apart(together);
      const double cost = penalised_cost(model, part_of(rows, 0, count), 0, together);
      double sum = 0;
      for (std::size_t i = 0; i < count; ++i) {
        std::vector<double> own(together.size());
        sum += penalised_cost(model, part_of(rows, i, 1), 0, own);
        for (std::size_t w = 0; w < own.size(); ++w) apart[w] += own[w];
      }
      for (double& derivative : apart) derivative /= static_cast<double>(count);
      EXPECT_NEAR(cost, sum / static_cast<double>(count), 1e-14) << classes << " " << count;
      EXPECT_THAT(together, Pointwise(DoubleNear(1e-14), apart)) << classes << " " << count;
    }
}

TEST(LogisticRegression, GradientIsTheSlopeOfTheCost) {
  const Observations rows = clouds(30, 3, 3, 1);
  LogisticModel model(3, 3);
  Rng rng(7);
  for (double& weight : model.weights) weight = rng.normal();
  std::vector<double> gradient(model.weights.size());
  penalised_cost(model, rows, 0.3, gradient);
  for (std::size_t i = 0; i < gradient.size(); ++i) {
    std::vector<double> unused(gradient.size());
    LogisticModel above = model, below = model;
    above.weights[i] += 1e-5;
    below.weights[i] -= 1e-5;
    const double slope =
        (penalised_cost(above, rows, 0.3, unused) - penalised_cost(below, rows, 0.3, unused)) /
        2e-5;
    EXPECT_NEAR(gradient[i], slope, 1e-8) << "weight " << i;
  }
}

TEST(LogisticRegression, EndsAtTheSameOptimumFromEveryStart) {
  const Observations rows = clouds(100, 5, 3, 1);
  const LogisticModel from_zero = fitted(rows, 3);
  LogisticModel from_afar(5, 3);
  Rng rng(3);
  for (double& weight : from_afar.weights) weight = 5 * rng.normal();
  minimise(from_afar, rows, 1e-2, 1e-8);
  const auto row = std::span(rows.features).first(5);
  EXPECT_THAT(from_afar.log_probabilities(row),
              Pointwise(DoubleNear(1e-5), from_zero.log_probabilities(row)));
}

TEST(LogisticRegression, StopsWhereRoundingLetsItGoNoLower) {
  const Observations rows = clouds(100, 5, 3, 1);
  LogisticModel model = fitted(rows, 3);
  minimise(model, rows, 1e-2, 0);
  EXPECT_THAT(model.weights, Pointwise(DoubleNear(1e-6), fitted(rows, 3).weights));
}

TEST(LogisticRegression, IsTheSameBitForBitEveryTime) {
  const Observations rows = clouds(100, 5, 3, 1);
  EXPECT_EQ(fitted(rows, 3).weights, fitted(rows, 3).weights);
}

TEST(LogisticRegression, ShrinksToTheSharesOfTheClassesUnderAHeavyPenalty) {
  Observations rows = clouds(40, 3, 2, 4);
  for (std::size_t i = 0; i < rows.labels.size(); ++i) rows.labels[i] = i % 4 == 0;
  const std::vector<double> logs =
      fitted(rows, 2, 1e6).log_probabilities(std::span(rows.features).first(3));
  EXPECT_NEAR(std::exp(logs[1]), 0.25, 1e-4);
}

TEST(Standardiser, MakesTheFitBlindToTheScaleOfFeatures) {
  Observations rows = clouds(80, 4, 3, 2), scaled = rows;
  for (std::size_t i = 0; i < scaled.features.size(); ++i)
    scaled.features[i] = scaled.features[i] * std::pow(1000.0, static_cast<double>(i % 4)) + 5;
  Standardiser(rows).apply(rows);
  Standardiser(scaled).apply(scaled);
  EXPECT_THAT(scaled.features, Pointwise(DoubleNear(1e-9), rows.features));
}

TEST(Standardiser, SilencesAFeatureThatDoesNotVary) {
  Observations rows{.width = 2, .features = {3.3, 1, 3.3, 2, 3.3, 6}, .labels = {0, 1, 0}};
  Standardiser(rows).apply(rows);
  EXPECT_EQ(rows.features[0], 0);
  EXPECT_NEAR(rows.features[1] + rows.features[3] + rows.features[5], 0, 1e-12);
}

TEST(Score, CountsTheFirstOfEqualClassesAsNamed) {
  const Observations rows{.width = 1, .features = {1, 2}, .labels = {0, 1}};
  const Fit fit = score(LogisticModel(1, 2), rows);
  EXPECT_EQ(fit.accuracy, 0.5);
  EXPECT_NEAR(fit.cost, std::log(2.0), 1e-12);
}

// Scores are computed four rows at once, with an exponential of their own.
TEST(Score, CostsRowsWhatTheirLogProbabilitiesSay) {
  for (const std::int32_t classes : {2, 3, 4, 5, 9})
    for (const double scale : {1e-3, 1.0, 30.0, 1e4}) {
      const Observations rows = clouds(11, 5, classes, 1);
      LogisticModel model(rows.width, classes);
      Rng rng(7);
      for (double& weight : model.weights) weight = scale * rng.normal();
      const Fit fit = score(model, rows);
      ASSERT_EQ(fit.costs.size(), 11u);
      for (std::size_t i = 0; i < 11; ++i) {
        const auto row = std::span(rows.features).subspan(5 * i, 5);
        const double expected =
            -model.log_probabilities(row)[static_cast<std::size_t>(rows.labels[i])];
        EXPECT_NEAR(fit.costs[i], expected, 1e-13 * (1 + std::abs(expected)))
            << classes << " " << scale << " " << i;
      }
    }
}

}  // namespace
}  // namespace ablate::probes

// How a linear model is fitted: to the minimum of features that vary together, that never vary or that
// outnumber the rows.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "harness/base/rng.h"
#include "harness/probes/linear/logistic_cost.h"
#include "harness/probes/linear/logistic_regression.h"
#include "tests/harness/probes/linear/clouds.h"

namespace ablate::probes {
namespace {

using ablate::probes::testing::clouds;
using ablate::probes::testing::fitted;
using ::testing::DoubleNear;
using ::testing::Pointwise;

/// Features that vary together, as hidden states do: sums of a few shared ones, with noise of .01.
Observations correlated(std::int64_t count, std::int64_t width, std::int32_t classes) {
  constexpr std::int64_t kShared = 4;
  const Observations shared = clouds(count, kShared, classes, 1);
  Observations rows{.width = width, .labels = shared.labels};
  for (std::int64_t i = 0; i < count; ++i) {
    Rng noise(5, Stream::probes, 0, static_cast<std::uint64_t>(i));
    for (std::int64_t d = 0; d < width; ++d) {
      double feature = 0.01 * noise.normal();
      for (std::int64_t k = 0; k < kShared; ++k)
        feature += std::sin(static_cast<double>((d + 1) * (k + 1))) *
                   shared.features[static_cast<std::size_t>(i * kShared + k)];
      rows.features.push_back(feature);
    }
  }
  Standardiser(rows).apply(rows);
  return rows;
}

double largest_derivative(const LogisticModel& model, const Observations& rows, double penalty) {
  std::vector<double> gradient(model.weights.size());
  penalised_cost(model, rows, penalty, gradient);
  double largest = 0;
  for (const double derivative : gradient) largest = std::max(largest, std::abs(derivative));
  return largest;
}

// Descent along one weight at a time shares nothing with the fit but the cost.
TEST(LogisticFit, EndsWhereDescentAlongOneWeightAtATimeEnds) {
  const Observations rows = clouds(60, 3, 3, 1);
  LogisticModel by_weight(3, 3);
  std::vector<double> gradient(by_weight.weights.size());
  for (int round = 0; round < 2000; ++round)
    for (std::size_t i = 0; i < by_weight.weights.size(); ++i) {
      std::fill(gradient.begin(), gradient.end(), 0.0);
      penalised_cost(by_weight, rows, 0.1, gradient);
      by_weight.weights[i] -= gradient[i] / 3;  // a second derivative is at most 3 on these rows
    }
  const LogisticModel model = fitted(rows, 3, 0.1);
  EXPECT_LT(largest_derivative(by_weight, rows, 0.1), 1e-8);
  const auto row = std::span(rows.features).first(3);
  EXPECT_THAT(model.log_probabilities(row),
              Pointwise(DoubleNear(1e-6), by_weight.log_probabilities(row)));
}

TEST(LogisticFit, FindsTheMinimumOfFeaturesThatVaryTogether) {
  const Observations rows = correlated(300, 20, 4);
  for (const double penalty : {1.0, 1e-2, 1e-4})
    EXPECT_LT(largest_derivative(fitted(rows, 4, penalty), rows, penalty), 1e-8) << penalty;
}

/// The steps from weights of 0 to a gradient of at most 1e-4.
int steps_of_fit(const Observations& rows, std::int32_t classes) {
  LogisticModel model(rows.width, classes);
  int steps = 0;
  LogisticFit(rows).minimise(model, 1e-4, 1e-4, [&](const LogisticModel&) {
    ++steps;
    return false;
  });
  return steps;
}

// Without the products of features, steps grow in number with the correlation.
TEST(LogisticFit, TakesFewStepsThoughFeaturesVaryTogether) {
  EXPECT_LT(steps_of_fit(correlated(300, 20, 4), 4), 30);
}

// Without a penalty, only what features span matters, not by which features.
TEST(LogisticFit, IsBlindToAnInvertibleMapOfFeaturesWithoutAPenalty) {
  const Observations rows = clouds(200, 3, 3, 0.5);
  Observations mapped = rows;
  for (std::size_t i = 0; i < mapped.features.size(); i += 3) {
    const double* const x = &rows.features[i];
    mapped.features[i] = 3 * x[0] + x[1];
    mapped.features[i + 1] = x[1] - x[2];
    mapped.features[i + 2] = x[0] + 0.5 * x[2];
  }
  EXPECT_THAT(score(fitted(mapped, 3, 0), mapped).costs,
              Pointwise(DoubleNear(1e-5), score(fitted(rows, 3, 0), rows).costs));
}

TEST(LogisticFit, EndsWhereClassesAreSeparableAndThePenaltyTiny) {
  const Observations rows = clouds(60, 6, 3, 8);
  for (const double penalty : {1e-6, 0.0}) {
    LogisticModel model(6, 3);
    minimise(model, rows, penalty, 1e-5);
    EXPECT_EQ(score(model, rows).accuracy, 1.0) << penalty;
    EXPECT_LE(largest_derivative(model, rows, penalty), 1e-5) << penalty;
  }
}

TEST(LogisticFit, FitsMoreFeaturesThanRowsAndFeaturesThatNeverVary) {
  Observations wide = clouds(20, 40, 3, 1), constant = clouds(80, 5, 3, 1);
  for (std::size_t i = 0; i < constant.features.size(); i += 5) constant.features[i] = 7;
  Standardiser(constant).apply(constant);
  for (const Observations* rows : {&wide, &constant})
    EXPECT_LT(largest_derivative(fitted(*rows, 3, 1e-3), *rows, 1e-3), 1e-8) << rows->width;
}

TEST(LogisticFit, HardlyEverNamesAClassThatNoRowHas) {
  const Observations rows = clouds(90, 4, 3, 1);
  LogisticModel model(4, 4);  // the last one has no rows
  minimise(model, rows, 1e-2, 1e-5);
  for (std::size_t i = 0; i < 90; ++i) {
    const auto row = std::span(rows.features).subspan(4 * i, 4);
    EXPECT_LT(model.log_probabilities(row)[3], std::log(1e-3));
  }
}

TEST(LogisticFit, StopsAtTheStepThatIsSaidToBeEnough) {
  const Observations rows = clouds(100, 5, 3, 1);
  LogisticModel model(5, 3);
  int steps = 0;
  LogisticFit(rows).minimise(model, 1e-2, 1e-8, [&](const LogisticModel&) { return ++steps == 3; });
  EXPECT_EQ(steps, 3);
  EXPECT_GT(largest_derivative(model, rows, 1e-2), 1e-8);
}

}  // namespace
}  // namespace ablate::probes

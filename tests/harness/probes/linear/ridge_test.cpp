// Ridge regression: it solves its equations, and what it says is of rows it was not fitted to.

#include "harness/probes/linear/ridge.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <gtest/gtest.h>

#include <limits>

#include "harness/base/rng.h"

namespace ablate::probes {
namespace {

/// Rows of independent normal numbers.
at::Tensor noise(std::int64_t rows, std::int64_t width, std::uint64_t seed) {
  Rng rng(seed);
  at::Tensor made = at::empty({rows, width}, at::kDouble);
  for (std::int64_t i = 0; i < made.numel(); ++i) made.data_ptr<double>()[i] = rng.normal();
  return made;
}

TEST(Ridge, SolvesItsEquations) {
  const at::Tensor x = noise(200, 7, 1), y = noise(200, 3, 2) + x.narrow(1, 0, 3);
  const at::Tensor mean = x.mean(0), deviation = (x - mean).square().mean(0).sqrt();
  const at::Tensor z = (x - mean) / deviation;
  for (const double penalty : {1.0, 0.01, 1e-6}) {
    const at::Tensor gram = z.t().mm(z) / 200 + penalty * at::eye(7, at::kDouble);
    const at::Tensor weights = at::linalg_inv(gram).mm(z.t()).mm(y - y.mean(0)) / 200;
    const at::Tensor expected = z.mm(weights) + y.mean(0);
    EXPECT_TRUE(at::allclose(Ridge(x, y).predicted(x, penalty), expected, 1e-10, 1e-10)) << penalty;
  }
}

TEST(Ridge, FindsALinearMapAndItsIntercept) {
  const at::Tensor x = noise(300, 5, 3), map = noise(5, 4, 4);
  const at::Tensor y = x.mm(map) + 7;
  const at::Tensor other = noise(50, 5, 5);
  EXPECT_NEAR(r_squared(Ridge(x, y).predicted(other, 1e-9), other.mm(map) + 7), 1, 1e-12);
}

TEST(Ridge, DoesNotCareForUnitsOrConstantFeatures) {
  const at::Tensor x = noise(100, 4, 6), y = noise(100, 2, 7);
  const at::Tensor plain = Ridge(x, y).predicted(x, 0.1);
  const at::Tensor scaled = at::cat({x * 1e6 - 5, at::full({100, 1}, 3.3, at::kDouble)}, 1);
  EXPECT_TRUE(at::allclose(Ridge(scaled, y).predicted(scaled, 0.1), plain, 1e-8, 1e-8));
}

TEST(Ridge, SaysTheMeanOfWhatFeaturesDoNotTell) {
  const at::Tensor y = noise(100, 2, 8), nothing = at::ones({100, 3}, at::kDouble);
  EXPECT_NEAR(r_squared(Ridge(nothing, y).predicted(nothing, 1e-6), y), 0, 1e-12);
  EXPECT_EQ(r_squared(nothing, nothing), 0) << "nothing varies";
}

TEST(Ridge, RefusesFeaturesThatAreNotFinite) {
  at::Tensor x = noise(10, 2, 9);
  x[3][1] = std::numeric_limits<double>::infinity();
  EXPECT_THROW(Ridge(x, noise(10, 1, 10)), std::runtime_error);
}

// 80 features of noise fit 100 rows well, and say nothing of others.
TEST(RidgeChoice, IsScoredOnRowsThatItWasNotFittedTo) {
  const RowSplits features = {noise(100, 80, 11), noise(100, 80, 12), noise(400, 80, 13)};
  const RowSplits targets = {noise(100, 2, 14), noise(100, 2, 15), noise(400, 2, 16)};
  const RidgeChoice choice = choose_ridge(features, targets);
  EXPECT_LT(choice.test, 0.05);
  EXPECT_LT(choice.development, 0.2);
  EXPECT_EQ(choice.penalty, 1) << "the largest";
  EXPECT_GT(r_squared(choice.predicted.training, targets.training), 0.4);
}

}  // namespace
}  // namespace ablate::probes

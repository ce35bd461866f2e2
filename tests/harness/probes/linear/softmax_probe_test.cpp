// The softmax of a linear map that is fitted to probabilities.

#include "harness/probes/linear/softmax_probe.h"

#include <gtest/gtest.h>

#include <cmath>

#include "harness/base/rng.h"
#include "harness/probes/linear/logistic_cost.h"

namespace ablate::probes {
namespace {

constexpr std::int64_t kClasses = 5, kWidth = 3;

std::vector<double> softmax_of(std::vector<double> logits) {
  double sum = 0;
  for (double& x : logits) sum += x = std::exp(x);
  for (double& x : logits) x /= sum;
  return logits;
}

/// Rows whose probabilities are the softmax of a linear map of their features.
void add_rows(std::int64_t count, Rng rng, LayerFeatures& features, std::vector<double>& wanted) {
  features.width = kWidth;
  const Rng map(7);
  for (std::int64_t i = 0; i < count; ++i) {
    std::vector<double> logits(kClasses);
    for (std::int64_t d = 0; d < kWidth; ++d) {
      const double x = 2 * rng.uniform() - 1;
      features.values.push_back(x);
      for (std::int64_t c = 0; c < kClasses; ++c)
        logits[static_cast<std::size_t>(c)] +=
            x * (4 * map.fork(static_cast<std::uint64_t>(d * kClasses + c)).uniform() - 2);
    }
    for (const double p : softmax_of(logits)) wanted.push_back(p);
  }
}

std::pair<SplitFeatures, SplitProbabilities> linear_rows() {
  SplitFeatures features;
  SplitProbabilities wanted{.classes = kClasses};
  add_rows(400, Rng(1), features.training, wanted.training);
  add_rows(200, Rng(2), features.development, wanted.development);
  add_rows(200, Rng(3), features.test, wanted.test);
  return {features, wanted};
}

TEST(SoftmaxProbe, FindsTheMapThatTheProbabilitiesAreOf) {
  const auto [features, wanted] = linear_rows();
  const SoftmaxProbe probe = fit_softmax(features, wanted);
  EXPECT_EQ(probe.penalty, 1e-4);
  EXPECT_NEAR(probe.test, 0, 1e-3);
  ASSERT_EQ(probe.of_rows.size(), 200u);
  for (const double divergence : probe.of_rows) EXPECT_GE(divergence, -1e-12);
}

TEST(SoftmaxProbe, GivesTheMeanWhereFeaturesSayNothing) {
  auto [features, wanted] = linear_rows();
  for (LayerFeatures* part : {&features.training, &features.development, &features.test})
    std::fill(part->values.begin(), part->values.end(), 1.5);
  std::vector<double> mean(kClasses);
  for (std::size_t i = 0; i < wanted.training.size(); ++i)
    mean[i % kClasses] += wanted.training[i] / 400;
  double expected = 0;
  for (std::size_t i = 0; i < wanted.test.size(); ++i)
    expected += wanted.test[i] * std::log(wanted.test[i] / mean[i % kClasses]) / 200;
  EXPECT_NEAR(fit_softmax(features, wanted).test, expected, 1e-3);
}

TEST(SoftmaxProbe, KnowsTheGradientOfItsCost) {
  const auto [features, wanted] = linear_rows();
  const Observations rows{.width = kWidth,
                          .features = features.training.values,
                          .labels = std::vector<std::int32_t>(400),
                          .probabilities = wanted.training};
  LogisticModel model(kWidth, kClasses);
  Rng rng(4);
  for (double& w : model.weights) w = rng.uniform() - 0.5;
  std::vector<double> gradient(model.weights.size()), unused(gradient.size());
  penalised_cost(model, rows, 0.1, gradient);
  for (std::size_t i = 0; i < gradient.size(); ++i) {
    constexpr double kStep = 1e-5;
    LogisticModel above = model, below = model;
    above.weights[i] += kStep;
    below.weights[i] -= kStep;
    const double slope =
        (penalised_cost(above, rows, 0.1, unused) - penalised_cost(below, rows, 0.1, unused)) /
        (2 * kStep);
    EXPECT_NEAR(gradient[i], slope, 1e-8) << i;
  }
}

TEST(SoftmaxProbe, OfCertaintiesIsLogisticRegression) {
  const auto [features, wanted] = linear_rows();
  Observations hard{.width = kWidth, .features = features.training.values, .labels = {}};
  for (std::int32_t i = 0; i < 400; ++i) hard.labels.push_back(i % 5);
  Observations soft = hard;
  for (const std::int32_t label : hard.labels)
    for (std::int32_t c = 0; c < kClasses; ++c) soft.probabilities.push_back(c == label);
  LogisticModel model(kWidth, kClasses);
  Rng rng(5);
  for (double& w : model.weights) w = rng.uniform() - 0.5;
  std::vector<double> of_hard(model.weights.size()), of_soft(of_hard.size());
  EXPECT_EQ(penalised_cost(model, hard, 0.1, of_hard), penalised_cost(model, soft, 0.1, of_soft));
  EXPECT_EQ(of_hard, of_soft);
  EXPECT_EQ(score(model, hard).costs, score(model, soft).costs);
}

}  // namespace
}  // namespace ablate::probes

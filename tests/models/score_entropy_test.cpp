#include "models/heads/losses/score_entropy.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <gtest/gtest.h>

#include <cmath>

#include "harness/base/files.h"
#include "harness/base/json/json.h"
#include "tests/paths.h"

namespace ablate::models {
namespace {

Json score_vectors() {
  return Json::parse(read_file(project_root() / "tests/vectors/score_entropy.json"));
}

at::Tensor doubles(const std::vector<double>& values) {
  const at::Tensor made = at::empty({std::ssize(values)}, at::kDouble);
  std::copy(values.begin(), values.end(), made.data_ptr<double>());
  return made;
}

/// The loss of the scores of a masked position over the ratio of its time, by score_entropy().
double over_ratio(const std::vector<double>& log_scores, double log_ratio, std::int64_t target) {
  const at::Tensor logits = doubles(log_scores) - log_ratio;
  return score_entropy(logits, at::scalar_tensor(target, at::kLong)).item<double>();
}

TEST(ScoreEntropy, IsThatOfTheDefinitionAtMaskedPositions) {
  std::size_t compared = 0;
  const Json family = score_vectors();
  for (const Json& one : family.at("losses")) {
    const std::int64_t words = one.at("vocabulary");
    if (one.at("graph") != "absorbing" || one.at("x_t") != words) continue;
    std::vector<double> log_scores = one.at("log_scores");
    log_scores.resize(static_cast<std::size_t>(words));  // without the mask's own
    const double ratio = 1 / std::expm1(one.at("sigma").get<double>());
    const double loss = one.at("loss");
    EXPECT_NEAR(ratio * over_ratio(log_scores, std::log(ratio), one.at("x_0")), loss,
                1e-9 * (1 + std::abs(loss)));
    ++compared;
  }
  EXPECT_GE(compared, 5u);
}

TEST(ScoreEntropy, OfProbabilitiesIsTheLossOfMaskedDiffusion) {
  const Json family = score_vectors();
  for (const Json& one : family.at("as_masked_diffusion")) {
    std::vector<double> logits;
    for (const double probability : one.at("probabilities").get<std::vector<double>>())
      logits.push_back(std::log(probability));
    const double own = over_ratio(logits, 0, one.at("x_0")), time = one.at("t");
    EXPECT_NEAR(own / time, one.at("masked_diffusion_loss").get<double>(), 1e-9);
    EXPECT_NEAR(own, -logits[one.at("x_0").get<std::size_t>()], 1e-12);
    // The weight of the log-linear schedule.
    const double ratio = 1 / std::expm1(one.at("sigma").get<double>());
    EXPECT_NEAR(ratio * one.at("dsigma").get<double>(), 1 / time, 1e-9);
  }
}

at::Tensor number(const Json& value) {
  return at::scalar_tensor(value.get<std::int64_t>(), at::kLong);
}

TEST(ScoreEntropy, OfUniformNoiseIsThatOfTheDefinition) {
  const Json family = score_vectors();
  std::size_t compared = 0;
  for (const char* kind : {"losses", "zeros"})
    for (const Json& one : family.at(kind)) {
      if (one.at("graph") != "uniform") continue;
      const UniformNoise noise = {
          number(one.at("x_t")),
          at::scalar_tensor(std::exp(-one.at("sigma").get<double>()), at::kDouble)};
      const double own =
          uniform_score_entropy(doubles(one.at("log_scores")), number(one.at("x_0")), noise)
              .item<double>();
      const double loss = one.at("loss");
      EXPECT_NEAR(own, loss, 1e-9 * (1 + std::abs(loss)));
      ++compared;
    }
  EXPECT_GE(compared, 30u);
}

TEST(ScoreEntropy, OfScoresByWayOfTheCleanTokenIsThatOfTheFormula) {
  const Json family = score_vectors();
  ASSERT_GE(family.at("denoised").size(), 6u);
  for (const Json& one : family["denoised"]) {
    std::vector<double> logits;
    for (const double probability : one.at("probabilities").get<std::vector<double>>())
      logits.push_back(std::log(probability) + 3);  // what is added to all changes nothing
    const double time = one.at("t"), loss = one.at("weighted_loss");
    const UniformNoise noise = {number(one.at("x_t")), at::scalar_tensor(1 - time, at::kDouble)};
    const at::Tensor scores = denoised_scores(doubles(logits), noise);
    EXPECT_NEAR(scores[one["x_t"].get<std::int64_t>()].item<double>(), 0, 1e-12);
    const double own = uniform_score_entropy(scores, number(one.at("x_0")), noise).item<double>();
    EXPECT_NEAR(own / (1 - time), loss, 1e-9 * (1 + loss));
  }
}

TEST(ScoreEntropy, OfUniformNoiseIsFiniteInSinglePrecisionAtEveryTime) {
  const at::Tensor logits = at::arange(64, at::kFloat).mul(0.7).sin().mul(4).view({1, 64});
  const at::Tensor target = at::full({1}, 5, at::kLong);
  for (const double time : {.00001, .001, .5, .999, .99999})
    for (const std::int64_t shown : {5, 9}) {
      const UniformNoise noise = {at::full({1}, shown, at::kLong),
                                  at::full({1}, 1 - time, at::kFloat)};
      const UniformNoise exact = {noise.shown, noise.kept.to(at::kDouble)};
      const double own =
          uniform_score_entropy(denoised_scores(logits, noise), target, noise).item<double>();
      const double precise =
          uniform_score_entropy(denoised_scores(logits.to(at::kDouble), exact), target, exact)
              .item<double>();
      EXPECT_NEAR(own / (1 - time), precise / (1 - time), 2e-3 * (1 + precise / (1 - time)))
          << time << " " << shown;
    }
}

TEST(ScoreEntropy, IsAtLeastTheCrossEntropy) {
  const at::Tensor logits = at::arange(60, at::kDouble).mul(0.9).sin().view({12, 5});
  const at::Tensor targets = at::arange(12, at::kLong).remainder(5);
  const at::Tensor crossed =
      logits.log_softmax(-1).gather(-1, targets.unsqueeze(-1)).squeeze(-1).neg();
  const at::Tensor entropy = score_entropy(logits, targets);
  EXPECT_TRUE((entropy >= crossed).all().item<bool>());
  EXPECT_TRUE(score_entropy(logits.log_softmax(-1), targets).allclose(crossed));
}

}  // namespace
}  // namespace ablate::models

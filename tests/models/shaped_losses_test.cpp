// Losses as training shapes them, held to their formulas and to their minimisers.

#include "models/heads/losses/shaped_losses.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <gtest/gtest.h>

#include <cmath>

#include "harness/base/rng.h"
#include "harness/probes/held_out/minimiser.h"

namespace ablate::models {
namespace {

constexpr std::int64_t kLogits = 7;

/// A target per row of states, all of weight 1 but the last, which is padding.
train::LaneTargets targets_of(const std::vector<std::int64_t>& ids, const TrainingLoss& loss) {
  train::LaneTargets targets{at::arange(static_cast<std::int64_t>(ids.size())), at::tensor(ids),
                             at::ones({static_cast<std::int64_t>(ids.size())})};
  targets.weights[-1] = 0;
  targets.loss = loss;
  return targets;
}

/// An identity as the table: the states are the logits.
OutputHead identity(std::int64_t lanes) {
  return {at::eye(kLogits).repeat({lanes, 1, 1}), 1, at::kFloat};
}

at::Tensor drawn(Rng& rng, at::IntArrayRef sizes) {
  const at::Tensor values = at::empty(sizes, at::kFloat);
  for (std::int64_t i = 0; i < values.numel(); ++i)
    values.data_ptr<float>()[i] = static_cast<float>(4 * rng.uniform() - 2);
  return values;
}

/// A loss as its formula says, in double.
double by_formula(const TrainingLoss& loss, const std::vector<double>& logits, std::size_t target) {
  double sum = 0, mean = 0, entropy = 0;
  for (const double logit : logits) sum += std::exp(logit);
  for (const double logit : logits) {
    const double log_q = logit - std::log(sum);
    mean -= log_q / static_cast<double>(logits.size());
    entropy -= std::exp(log_q) * log_q;
  }
  const double plain = std::log(sum) - logits[target];
  double cost = plain;
  if (loss.label_smoothing > 0)
    cost = (1 - loss.label_smoothing) * plain + loss.label_smoothing * mean;
  if (loss.focal > 0) cost = std::pow(1 - std::exp(-plain), loss.focal) * plain;
  if (loss.entropy_weight > 0) cost = std::pow(1 + entropy, loss.entropy_weight) * plain;
  return cost + loss.z * std::log(sum) * std::log(sum);
}

const std::vector<TrainingLoss> kLossShapes = {
    {.label_smoothing = .1}, {.focal = 1}, {.focal = 2.5},        {.focal = .5},
    {.focal = .1},           {.focal = 5}, {.entropy_weight = 1}, {.label_smoothing = .3, .z = .01},
    {.focal = 1, .z = .1},   {.z = 1e-2}};

/// By central differences of the formula. An entropy weight has no gradient: it is that of the logits
/// given.
double slope(const TrainingLoss& loss, std::vector<double> logits, std::size_t target,
             std::size_t at) {
  constexpr double kStep = 1e-5;
  TrainingLoss moving = loss;
  double weight = 1;
  if (loss.entropy_weight > 0) {
    moving.entropy_weight = 0;
    weight = by_formula({.entropy_weight = loss.entropy_weight}, logits, target) /
             by_formula({}, logits, target);
  }
  const double before = logits[at];
  logits[at] = before + kStep;
  const double above = by_formula(moving, logits, target);
  logits[at] = before - kStep;
  return weight * (above - by_formula(moving, logits, target)) / (2 * kStep);
}

TEST(ShapedLosses, HaveThePlainValueAndTheGradientOfTheirFormula) {
  Rng rng(11);
  for (const TrainingLoss& loss : kLossShapes) {
    const at::Tensor hidden = drawn(rng, {2, 1, 4, kLogits}).requires_grad_();
    const train::HeadTargets targets = {targets_of({0, 3, 6, 1}, loss),
                                        targets_of({5, 5, 2, 0}, loss)};
    const at::Tensor losses = shaped_losses(hidden, identity(2), targets);
    losses.sum().backward();
    for (std::int64_t lane = 0; lane < 2; ++lane) {
      double plain = 0;
      for (std::int64_t t = 0; t < 4; ++t) {
        std::vector<double> logits;
        for (std::int64_t v = 0; v < kLogits; ++v)
          logits.push_back(hidden[lane][0][t][v].item<double>());
        const auto target = static_cast<std::size_t>(
            targets[static_cast<std::size_t>(lane)].targets[t].item<std::int64_t>());
        if (t < 3) plain += by_formula({}, logits, target);
        for (std::int64_t v = 0; v < kLogits; ++v)
          EXPECT_NEAR(hidden.grad()[lane][0][t][v].item<double>(),
                      t < 3 ? slope(loss, logits, target, static_cast<std::size_t>(v)) : 0, 2e-5)
              << loss.label_smoothing << ' ' << loss.focal << ' ' << loss.entropy_weight;
      }
      EXPECT_NEAR(losses[lane].item<double>(), plain, 1e-5);
    }
  }
}

// Where a model is certain of a target, a focal weight is 0, and so is its slope.
TEST(ShapedLosses, AreFiniteWhereAModelIsCertain) {
  for (const TrainingLoss& loss : kLossShapes) {
    const at::Tensor hidden = at::zeros({1, 1, 2, kLogits});
    hidden[0][0][0][2] = 200;
    hidden.requires_grad_();
    const at::Tensor losses = shaped_losses(hidden, identity(1), {targets_of({2, 2}, loss)});
    losses.sum().backward();
    EXPECT_TRUE(hidden.grad().isfinite().all().item<bool>()) << loss.focal;
  }
}

/// A distribution over the tokens of the vocabulary, one of which it never has.
std::vector<double> drawn_distribution(Rng& rng) {
  std::vector<double> distribution(kLogits, 0.0);
  double sum = 0;
  for (std::size_t v = 1; v < distribution.size(); ++v)
    sum += distribution[v] = std::exp(5 * rng.uniform());
  for (double& probability : distribution) probability /= sum;
  return distribution;
}

// The gradient of the expected loss vanishes at the minimiser that is stated.
TEST(ShapedLosses, AreLeastInExpectationAtTheirMinimisers) {
  Rng rng(5);
  for (const TrainingLoss& loss : kLossShapes) {
    if (loss.z > 0)
      continue;  // asks for logits whose exponentials sum to 1, of the same prediction
    const probes::Minimiser minimiser(loss, kLogits);
    for (int trial = 0; trial < 5; ++trial) {
      const std::vector<double> distribution = drawn_distribution(rng);
      std::vector<float> logits;
      double sum = 0;
      for (std::size_t v = 0; v < distribution.size(); ++v) {
        const bool never = distribution[v] == 0;
        const double log_q = !never                     ? -minimiser.cost(distribution, v)
                             : loss.label_smoothing > 0 ? std::log(loss.label_smoothing / kLogits)
                                                        : -80.0;
        logits.push_back(static_cast<float>(log_q));
        sum += std::exp(log_q);
      }
      EXPECT_NEAR(sum, 1, 1e-6);
      const at::Tensor hidden = at::tensor(logits).repeat({1, 1, kLogits + 1, 1}).requires_grad_();
      train::LaneTargets targets = targets_of({0, 1, 2, 3, 4, 5, 6, 0}, loss);
      for (std::size_t v = 0; v < distribution.size(); ++v)
        targets.weights[static_cast<std::int64_t>(v)] = static_cast<float>(distribution[v]);
      shaped_losses(hidden, identity(1), {targets}).sum().backward();
      const at::Tensor slope = hidden.grad().sum({0, 1, 2});
      EXPECT_LT(slope.abs().max().item<double>(), 2e-6)
          << loss.label_smoothing << ' ' << loss.focal << ' ' << loss.entropy_weight;
    }
  }
}

// Smoothing costs at most -log(1 - e), whatever the distribution.
TEST(Minimiser, OfSmoothingIsBounded) {
  Rng rng(3);
  for (int trial = 0; trial < 100; ++trial) {
    const double e = .01 + .9 * rng.uniform();
    const probes::Minimiser minimiser({.label_smoothing = e}, kLogits);
    const std::vector<double> distribution = drawn_distribution(rng);
    double excess = 0;
    for (std::size_t v = 0; v < distribution.size(); ++v)
      if (distribution[v] > 0)
        excess += distribution[v] * (minimiser.cost(distribution, v) + std::log(distribution[v]));
    EXPECT_GE(excess, -1e-12);
    EXPECT_LE(excess, -std::log(1 - e));
  }
}

}  // namespace
}  // namespace ablate::models

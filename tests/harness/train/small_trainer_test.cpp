// The small trainer: each lane by itself, the same updates as the trainer of trials makes, and whatever
// else a caller puts on the network.

#include "harness/train/small_trainer.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/zeros.h>
#include <c10/core/GradMode.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/train/step/host_step.h"
#include "tests/harness/train/tiny.h"

namespace ablate::train {
namespace {

constexpr std::int64_t kSmallSteps = 12;

SmallRecipe small_recipe(double peak, double beta2 = 0.98) {
  return {.schedule = {.peak = peak, .shape = Decay::cosine, .warmup = 0.25, .final_rate = 0.1},
          .optimizer = {.beta2 = beta2}};
}

/// A small lane's recipe and the seed of its batches and initial weights.
struct SmallLane {
  SmallRecipe recipe;
  std::int64_t seed = 1;
};

std::vector<data::Batch> drawn_for(const std::vector<SmallLane>& lanes, std::int64_t step) {
  std::vector<data::Batch> batches;
  for (const SmallLane& lane : lanes) batches.push_back(testing::drawn(lane.seed, step).batch);
  return batches;
}

std::unique_ptr<Network> initial_network(const std::vector<SmallLane>& lanes) {
  auto network = testing::network(lanes.size());
  std::vector<std::uint64_t> seeds;
  for (const SmallLane& lane : lanes) seeds.push_back(static_cast<std::uint64_t>(lane.seed));
  initialise(*network, seeds);
  return network;
}

/// What the lanes are after kSmallSteps steps.
std::unique_ptr<Network> small_trained(const std::vector<SmallLane>& lanes) {
  auto network = initial_network(lanes);
  std::vector<SmallRecipe> recipes;
  for (const SmallLane& lane : lanes) recipes.push_back(lane.recipe);
  const c10::NoGradGuard as_in_a_probe;
  SmallTrainer(*network, network->parameters())
      .train(
          recipes, kSmallSteps,
          [&](std::int64_t step) { return mean_losses(*network, drawn_for(lanes, step), "cpu"); },
          [](double) {});
  return network;
}

void expect_same_lane(Network& one, std::int64_t lane, Network& other, std::int64_t other_lane) {
  for (std::size_t i = 0; i < one.parameters().size(); ++i)
    EXPECT_TRUE(at::equal(one.parameters()[i].value[lane], other.parameters()[i].value[other_lane]))
        << one.parameters()[i].name;
}

// Lanes differ in their rates, their optimizers and in how many targets they have.
TEST(SmallTrainer, GivesALaneTheSameWeightsAloneAsBesideOthers) {
  const std::vector<SmallLane> lanes = {
      {small_recipe(1e-2), 1}, {small_recipe(3e-3, 0.999), 3}, {small_recipe(1e-3), 2}};
  const auto together = small_trained(lanes);
  for (std::size_t lane = 0; lane < lanes.size(); ++lane)
    expect_same_lane(*small_trained({lanes[lane]}), 0, *together, static_cast<std::int64_t>(lane));
}

// host_step() is what trials are trained by; the judge of texts was trained by a loop of it.
TEST(SmallTrainer, MakesTheUpdatesOfATrialsStep) {
  const SmallLane lane{small_recipe(1e-2), 1};
  const auto network = initial_network({lane});
  FlatParameters parameters(network->parameters());
  AdamW optimizer(parameters, {lane.recipe.optimizer});
  const auto step = host_step({*network, 1, optimizer, "cpu", 0, {1}});
  for (std::int64_t i = 0; i < kSmallSteps; ++i) {
    const std::vector<data::Batch> batches = drawn_for({lane}, i);
    const double at = (static_cast<double>(i) + 0.5) / kSmallSteps;
    step->run({i,
               batches,
               {static_cast<float>(1 / batches[0].scored[0].weight())},
               {lane.recipe.schedule.learning_rate(at)}});
  }
  expect_same_lane(*network, 0, *small_trained({lane}), 0);
}

TEST(SmallTrainer, LeavesALaneOfRateZeroBitForBit) {
  const std::vector<SmallLane> lanes = {{small_recipe(0), 1}, {small_recipe(1e-2), 2}};
  const auto before = initial_network(lanes), after = small_trained(lanes);
  expect_same_lane(*before, 0, *after, 0);
  EXPECT_FALSE(at::equal(before->parameters()[0].value[1], after->parameters()[0].value[1]));
}

TEST(SmallTrainer, TrainsWhatStandsOnTheNetwork) {
  const auto network = initial_network({{}});
  std::vector<Parameter> parameters = network->parameters();
  parameters.push_back({"added", at::zeros({1, 3}).requires_grad_(true), 0});
  SmallTrainer trainer(*network, parameters);
  const at::Tensor added = parameters.back().value;
  trainer.train(
      {small_recipe(0.1)}, 200, [&](std::int64_t) { return (added - 1).square(); }, [](double) {});
  EXPECT_NEAR((added - 1).abs().max().item<double>(), 0, 0.02);
}

TEST(SmallTrainer, TellsTheFractionOfStepsMade) {
  const auto network = initial_network({{}});
  SmallTrainer trainer(*network, network->parameters());
  std::vector<std::int64_t> steps;
  std::vector<double> fractions;
  const auto train = [&](std::int64_t count) {
    trainer.train(
        {small_recipe(1e-3)}, count,
        [&](std::int64_t step) {
          steps.push_back(step);
          return mean_losses(*network, drawn_for({{}}, step), "cpu");
        },
        [&](double fraction) { fractions.push_back(fraction); });
  };
  train(0);
  EXPECT_THAT(fractions, ::testing::IsEmpty());
  train(4);
  EXPECT_THAT(steps, ::testing::ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(fractions, ::testing::ElementsAre(0.25, 0.5, 0.75, 1));
}

// A batch's mean is over the weights of its targets: as many batches in one have the same mean.
TEST(SmallTrainer, TakesTheMeanOverTheWeightOfTheTargets) {
  const auto network = initial_network({{}});
  data::Batch batch = testing::drawn(1, 0).batch;
  const c10::NoGradGuard no_gradients;
  const auto mean = [&] { return mean_losses(*network, {&batch, 1}, "cpu")[0].item<double>(); };
  const double weight = batch.scored[0].weight();
  const double total = total_losses(*network, {&batch, 1}, "cpu")[0].item<double>();
  EXPECT_NEAR(mean(), total / weight, 1e-6);
  batch.scored[0].unscored = weight;  // the denominator counts what is not scored
  EXPECT_NEAR(mean(), total / (2 * weight), 1e-6);
}

}  // namespace
}  // namespace ablate::train

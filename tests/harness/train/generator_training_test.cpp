// Training with a generator: lanes, parts of a step, resuming, and what its samples did.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/specs/head_specs.h"
#include "tests/harness/train/tiny.h"
#include "tests/models/emulated_device.h"

namespace ablate::train {
namespace {

using testing::kTime;
using testing::Place;

std::vector<HeadNeed> detection_and_generator() {
  return known_heads(
      {{.kind = "detection", .coefficient = 50}, {.kind = "generator", .params = {{"width", 0.5}}}},
      models::head_specs());
}

std::unique_ptr<Network> generating(std::size_t lanes, const std::string& device) {
  NetworkSettings settings;
  settings.device = device;
  settings.model = Params(models::transformer_spec().params,
                          {{"depth", 2}, {"width", 32}, {"heads", 2}, {"context", kTime}});
  settings.hosting.vocabulary = testing::kWords;
  settings.hosting.needs.heads = detection_and_generator();
  settings.lanes = static_cast<std::int64_t>(lanes);
  return models::build_network("transformer", settings);
}

/// The tiny trials' rows with some tokens masked.
data::SampledBatch masked_step(std::int64_t seed, std::int64_t step) {
  data::SampledBatch made = testing::drawn(seed, step);
  data::Batch& batch = made.batch;
  batch.scored.assign(2, {});
  Rng rng(static_cast<std::uint64_t>(seed), Stream::corruption, static_cast<std::uint64_t>(step));
  for (std::size_t i = 0; i < batch.tokens.size(); ++i) {
    batch.visible_until[i] = static_cast<std::int32_t>(batch.time);
    const auto add = [&](data::Scored& scored, Token target) {
      scored.positions.push_back(static_cast<std::int32_t>(i));
      scored.targets.push_back(target);
      scored.weights.push_back(1);
    };
    add(batch.scored[0], 0);
    if (!rng.probability(0.3)) continue;
    add(batch.scored[1], batch.tokens[i]);
    batch.tokens[i] = mask_token;
  }
  return made;
}

TrainingLane lane_with_generator(Place& place) {
  TrainingLane lane = place.lane();
  lane.phases[0].heads = detection_and_generator();
  lane.phases[0].draw = [seed = place.trial.seed](std::int64_t step) {
    return masked_step(seed, step);
  };
  return lane;
}

void train_places(std::vector<Place*> places, std::int64_t from = 0,
                  const TrainingSettings& settings = {}) {
  std::vector<TrainingLane> lanes;
  for (Place* place : places) lanes.push_back(lane_with_generator(*place));
  const auto network = generating(places.size(), settings.device);
  train(*network, std::move(lanes), from, settings);
}

constexpr std::int64_t kGeneratorSteps = 20;

/// A trial that is trained alone.
struct TrainedWithGenerator {
  explicit TrainedWithGenerator(std::int64_t seed, Json train = {{"dropout", 0.1}},
                                const std::string& device = "cpu")
      : place(folder.path(), testing::trial("t", seed, kGeneratorSteps, train)) {
    TrainingSettings settings;
    settings.device = device;
    train_places({&place}, 0, settings);
  }
  Json realised() const { return place.events("ledger").at(0).at("realised"); }

  TemporaryFolder folder;
  Place place;
};

TEST(GeneratorTraining, OfALaneDoesNotDependOnTheOthers) {
  TemporaryFolder folder;
  std::vector<std::unique_ptr<Place>> places;
  std::vector<Place*> all;
  for (const std::int64_t seed : {1, 2, 3}) {
    places.push_back(
        std::make_unique<Place>(folder.path() / std::to_string(seed),
                                testing::trial("t", seed, kGeneratorSteps, {{"dropout", 0.1}})));
    all.push_back(places.back().get());
  }
  train_places(all);
  for (Place* place : all) {
    const TrainedWithGenerator alone(place->trial.seed);
    EXPECT_EQ(testing::weights(*place), testing::weights(alone.place));
    EXPECT_EQ(place->events("ledger").at(0).at("realised"), alone.realised());
  }
}

TEST(GeneratorTraining, SaysHowManySamplesWereRight) {
  const Json realised = TrainedWithGenerator(1).realised();
  ASSERT_TRUE(realised.contains("sampled_right"));
  EXPECT_GT(realised.at("sampled_right"), 0);
  EXPECT_LT(realised.at("sampled_right"), 0.5) << "of 16 tokens, after 20 steps";
}

TEST(GeneratorTraining, ResumesToTheBitWithTheFactsOfItsSamples) {
  const TrainedWithGenerator whole(3);
  TemporaryFolder folder;
  Place place(folder.path(), testing::trial("t", 3, kGeneratorSteps, {{"dropout", 0.1}}));
  train_places({&place}, 0, testing::stopping_after(8));
  train_places({&place}, 8);
  EXPECT_EQ(testing::weights(place), testing::weights(whole.place));
  EXPECT_EQ(place.events("ledger").at(0).at("realised"), whole.realised());
}

void expect_near_curves(const Place& a, const Place& b, double tolerance) {
  const std::vector<double> one = a.curve(), other = b.curve();
  ASSERT_EQ(one.size(), other.size());
  for (std::size_t i = 0; i < one.size(); ++i)
    EXPECT_NEAR(one[i], other[i], tolerance * one[i]) << i;
}

TEST(GeneratorTraining, InPartsOfAStepIsThatOfTheWhole) {
  const TrainedWithGenerator whole(2), parts(2, {{"dropout", 0.1}, {"micro_batch", 1}});
  expect_near_curves(whole.place, parts.place, 1e-4);
  EXPECT_EQ(whole.realised(), parts.realised());
}

using GeneratorOnADevice = ablate::testing::EmulatedDevice;

TEST_F(GeneratorOnADevice, TrainsAsOnTheProcessor) {
  for (const Json& train : {Json{{"dropout", 0.1}}, Json{{"dropout", 0.1}, {"micro_batch", 1}}}) {
    const TrainedWithGenerator processor(2, train), device(2, train, "cpu:0");
    expect_near_curves(processor.place, device.place, 1e-3);
    EXPECT_EQ(processor.realised(), device.realised());
  }
}

}  // namespace
}  // namespace ablate::train

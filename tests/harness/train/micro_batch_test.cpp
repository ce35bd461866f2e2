// A step in parts is the step: the same rows, targets and dropout, and the sum of the gradients.

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/train/step/micro_batches.h"
#include "tests/harness/train/tiny.h"
#include "tests/models/emulated_device.h"

namespace ablate::train {
namespace {

using testing::kRows;
using testing::kTime;
using testing::Place;
using testing::train_bank;
using testing::trial;

TEST(MicroBatches, AreTheRowsOfTheBatchInTheirOrder) {
  const std::vector<data::Batch> lanes = {testing::drawn(1, 0).batch, testing::drawn(3, 0).batch};
  for (const std::int64_t rows : {1, 2}) {
    std::vector<data::Batch> joined(2);
    std::vector<std::int64_t> firsts;
    each_micro_batch(
        lanes, {0, kRows}, rows, [&](std::span<const data::Batch> part, std::int64_t first) {
          firsts.push_back(first);
          for (std::size_t lane = 0; lane < 2; ++lane) {
            const data::Batch& own = part[lane];
            const auto add = [&](auto field) {
              auto& all = joined[lane].*field;
              all.insert(all.end(), (own.*field).begin(), (own.*field).end());
            };
            EXPECT_EQ(std::ssize(own.tokens), own.rows * kTime);
            for (const auto field : {&data::Batch::tokens, &data::Batch::positions,
                                     &data::Batch::visible_from, &data::Batch::visible_until})
              add(field);
            joined[lane].scored.resize(1);
            for (std::size_t i = 0; i < own.scored[0].positions.size(); ++i) {
              joined[lane].scored[0].positions.push_back(own.scored[0].positions[i] +
                                                         static_cast<std::int32_t>(first * kTime));
              joined[lane].scored[0].targets.push_back(own.scored[0].targets[i]);
              joined[lane].scored[0].weights.push_back(own.scored[0].weights[i]);
            }
          }
        });
    EXPECT_EQ(firsts,
              rows == 1 ? (std::vector<std::int64_t>{0, 1, 2}) : (std::vector<std::int64_t>{0, 2}));
    for (std::size_t lane = 0; lane < 2; ++lane) {
      for (const auto field : {&data::Batch::tokens, &data::Batch::positions,
                               &data::Batch::visible_from, &data::Batch::visible_until})
        EXPECT_EQ(joined[lane].*field, lanes[lane].*field);
      EXPECT_EQ(joined[lane].scored[0].positions, lanes[lane].scored[0].positions);
      EXPECT_EQ(joined[lane].scored[0].targets, lanes[lane].scored[0].targets);
      EXPECT_EQ(joined[lane].scored[0].weights, lanes[lane].scored[0].weights);
    }
  }
}

TEST(MicroBatches, OfAllRowsAreTheBatchItself) {
  const std::vector<data::Batch> lanes = {testing::drawn(1, 0).batch};
  for (const std::int64_t rows : {std::int64_t{0}, kRows, kRows + 5})
    each_micro_batch(lanes, {0, kRows}, rows, [&](std::span<const data::Batch> part, std::int64_t) {
      EXPECT_EQ(part.data(), lanes.data());
    });
}

/// The points of a trial that is trained with these settings.
struct Trained {
  Trained(std::int64_t seed, Json train, const std::string& device = "cpu") {
    train["dropout"] = 0.2;
    place = std::make_unique<Place>(folder.path(), trial("t", seed, 30, train));
    TrainingSettings settings;
    settings.device = device;
    train_bank({place.get()}, 0, settings);
  }
  TemporaryFolder folder;
  std::unique_ptr<Place> place;
};

const Json kInParts = {{"micro_batch", 1}};

void expect_near(const std::vector<double>& a, const std::vector<double>& b, double tolerance) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], tolerance * a[i]) << i;
}

// Every third seed's targets are fewer and differ from row to row.
TEST(MicroBatches, TrainAsTheWholeBatchDoes) {
  for (const std::int64_t seed : {1, 3})
    expect_near(Trained(seed, Json::object()).place->curve(),
                Trained(seed, kInParts).place->curve(), 1e-5);
}

TEST(MicroBatches, OfALaneDoNotDependOnTheOthers) {
  TemporaryFolder folder;
  Json train = kInParts;
  train["dropout"] = 0.2;
  Place one(folder.path() / "one", trial("t", 1, 30, train)),
      two(folder.path() / "two", trial("t", 3, 30, train));
  train_bank({&one, &two});
  EXPECT_EQ(testing::weights(one), testing::weights(*Trained(1, kInParts).place));
  EXPECT_EQ(testing::weights(two), testing::weights(*Trained(3, kInParts).place));
}

TEST(MicroBatches, AreRefusedInABankOfOtherOnes) {
  TemporaryFolder folder;
  Place one(folder.path() / "one", trial("t", 1, 30)),
      two(folder.path() / "two", trial("t", 1, 30, kInParts));
  EXPECT_THAT(
      [&] {
        train_bank({&one, &two});
      },
      ::testing::ThrowsMessage<std::invalid_argument>(::testing::HasSubstr("micro_batch")));
}

using MicroBatchesOnADevice = ablate::testing::EmulatedDevice;

TEST_F(MicroBatchesOnADevice, TrainAsTheProcessorDoes) {
  expect_near(Trained(3, kInParts).place->curve(), Trained(3, kInParts, "cpu:0").place->curve(),
              1e-3);
}

}  // namespace
}  // namespace ablate::train

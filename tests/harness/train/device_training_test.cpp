// Training as on a device, run on the CPU: "cpu:0" is another name of the CPU and is treated as a
// device, whose work is queued and whose losses are read at intervals.

#include <ATen/ops/tensor.h>
#include <gtest/gtest.h>

#include <deque>

#include "harness/train/step/readings.h"
#include "harness/train/trainer.h"
#include "tests/harness/train/tiny.h"
#include "tests/models/emulated_device.h"

namespace ablate::train {
namespace {

using testing::Place;
using testing::train_bank;
using testing::trial;
using testing::weights;

using DeviceTraining = ablate::testing::EmulatedDevice;

TrainingSettings reading_every(std::int64_t steps) {
  TrainingSettings settings;
  settings.device = "cpu:0";
  settings.read_every = steps;
  return settings;
}

/// The events of a trial's journal without times and facts of the machine.
std::vector<Json> account(const Place& place) {
  std::vector<Json> found;
  for (Json event : place.journal->events()) {
    for (const char* changing : {"time", "seconds", "attempt", "sum", "tokens_per_second",
                                 "time_shares", "peak_memory_bytes", "device"})
      event.erase(changing);
    if (event.at("event") != "checkpoint") found.push_back(event);
  }
  return found;
}

/// A bank in which a lane ends early, a lane diverges and a lane predicts fewer targets.
struct Bank {
  explicit Bank(const TrainingSettings& settings) {
    const Json wild = {{"learning_rate", 10}, {"clip", 0}, {"warmup", 0}, {"schedule", "constant"}};
    places.emplace_back(folder.path(), trial("good", 1, 130));
    places.emplace_back(folder.path(), trial("bad", 2, 130, wild));
    places.emplace_back(folder.path(), trial("sparse", 3, 130));
    places.emplace_back(folder.path(), trial("short", 4, 37));
    results = train_bank({&places[0], &places[1], &places[2], &places[3]}, 0, settings);
  }
  TemporaryFolder folder;
  std::deque<Place> places;
  std::vector<TrainingResult> results;
};

TEST_F(DeviceTraining, LeavesTheSameAccountHoweverSeldomItIsRead) {
  const Bank each(reading_every(1));
  EXPECT_EQ(each.results[1].end, LaneEnd::diverged);
  for (const std::int64_t period : {7, 16, 1000}) {
    const Bank seldom(reading_every(period));
    for (std::size_t lane = 0; lane < each.places.size(); ++lane) {
      EXPECT_EQ(seldom.results[lane].end, each.results[lane].end) << lane;
      EXPECT_EQ(seldom.results[lane].message, each.results[lane].message) << lane;
      EXPECT_EQ(account(seldom.places[lane]), account(each.places[lane])) << lane;
      if (each.results[lane].end == LaneEnd::completed) {
        EXPECT_EQ(weights(seldom.places[lane]), weights(each.places[lane])) << lane;
      }
    }
  }
}

TEST_F(DeviceTraining, LearnsWhatTheProcessorLearns) {
  TrainingSettings here;
  const Bank expected(here), found(reading_every(16));
  for (const std::size_t lane : {0, 2, 3}) {
    const auto a = expected.places[lane].curve(), b = found.places[lane].curve();
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-3 * a[i]) << lane;
    const Json ours = expected.places[lane].events("ledger").at(0),
               theirs = found.places[lane].events("ledger").at(0);
    for (const char* key : {"steps", "text_tokens", "targets", "flops", "epochs", "realised"})
      EXPECT_EQ(ours.at(key), theirs.at(key)) << key;
  }
}

TEST_F(DeviceTraining, StopsWithACheckpointOfTheStepItHasReached) {
  TemporaryFolder whole_folder, cut_folder;
  Place whole(whole_folder.path(), trial("t", 3, 40)), cut(cut_folder.path(), trial("t", 3, 40));
  train_bank({&whole}, 0, reading_every(16));
  TrainingSettings stopping = reading_every(16);
  stopping.stop = [left = 21]() mutable { return --left == 0; };
  EXPECT_EQ(train_bank({&cut}, 0, stopping)[0].end, LaneEnd::stopped);
  ASSERT_EQ(resumable_steps(cut.files()), std::vector<std::int64_t>{21});
  train_bank({&cut}, 21, reading_every(16));
  EXPECT_EQ(cut.curve(), whole.curve());
  for (const char* key : {"steps", "targets", "flops", "realised"})
    EXPECT_EQ(cut.events("ledger").back().at(key), whole.events("ledger").at(0).at(key)) << key;
}

TEST_F(DeviceTraining, KeysDropoutByStep) {
  TemporaryFolder one, other;
  const Json train = {{"dropout", 0.2}};
  Place here(one.path(), trial("t", 1, 30, train)), there(other.path(), trial("t", 1, 30, train));
  train_bank({&here});
  train_bank({&there}, 0, reading_every(16));
  const auto a = here.curve(), b = there.curve();
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-3 * a[i]);
}

TEST_F(DeviceTraining, ReadsEachStepOfABudgetOfTime) {
  TemporaryFolder folder;
  Place place(folder.path(), trial("t", 1, 0, {{"budget", {{"seconds", 0.01}}}}));
  TrainingSettings settings = reading_every(1000);
  std::int64_t reported = 0, asked = 0;
  settings.progress = [&](const TrainingProgress&) { ++reported; };
  settings.stop = [&] { return reported < ++asked; };  // a step that was not read
  EXPECT_EQ(train_bank({&place}, 0, settings)[0].end, LaneEnd::completed);
}

TEST(Readings, GiveStepsBackInOrder) {
  Readings readings(1, 2, 2, 3, "cpu");
  for (int round = 0; round < 2; ++round) {
    for (int step = 0; step < 3; ++step) {
      EXPECT_FALSE(readings.full());
      readings.add({.losses = at::tensor({1.5f + static_cast<float>(step), 2.5f}).unsqueeze(0),
                    .facts = at::tensor({3.0f, 4.0f, 5.0f, 6.0f}).view({2, 2}),
                    .norms = at::tensor({0.1 * step, 7.0})});
    }
    EXPECT_TRUE(readings.full());
    const at::Tensor read = readings.take();
    ASSERT_EQ(read.sizes().vec(), (std::vector<std::int64_t>{3, 4, 2}));
    for (int step = 0; step < 3; ++step) {
      EXPECT_EQ(read[step][0][0].item<double>(), 1.5 + step);
      EXPECT_EQ(read[step][1][0].item<double>(), 0.1 * step);
      EXPECT_EQ(read[step][1][1].item<double>(), 7.0);
      EXPECT_EQ(read[step][2][1].item<double>(), 4.0) << "sums of a fact";
      EXPECT_EQ(read[step][3][0].item<double>(), 5.0) << "its counts";
    }
    EXPECT_EQ(readings.count(), 0);
  }
}

}  // namespace
}  // namespace ablate::train

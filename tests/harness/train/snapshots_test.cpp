// Weights that are kept on the way, and that they change nothing of the training.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/harness/train/tiny.h"
#include "tests/models/emulated_device.h"

namespace ablate::train {
namespace {

using testing::Place;
using testing::stopping_after;
using testing::train_bank;
using testing::trial;
using testing::weights;

const std::set<std::int64_t> kSteps = {1, 7, 13};

/// The hashes of a trial's snapshots, each as its file has it.
std::vector<std::string> hashes(Place& place) {
  std::vector<std::string> found;
  for (const std::int64_t step : kSteps)
    found.push_back(snapshot(place.files(), step).weights.sha256());
  return found;
}

TEST(Snapshots, ChangeNothingOfTheTraining) {
  TemporaryFolder plain_folder, kept_folder;
  std::vector<std::unique_ptr<Place>> plain, kept;
  std::vector<Place*> bank;
  for (const std::int64_t seed : {3, 4, 5}) {
    const plan::Trial made = trial("t" + std::to_string(seed), seed, 20, {{"dropout", 0.1}});
    plain.push_back(std::make_unique<Place>(plain_folder.path(), made));
    train_bank({plain.back().get()});
    kept.push_back(std::make_unique<Place>(kept_folder.path(), made));
    if (seed != 4) kept.back()->snapshots = kSteps;  // one lane of the bank keeps none
    bank.push_back(kept.back().get());
  }
  train_bank(bank);
  for (std::size_t lane = 0; lane < bank.size(); ++lane) {
    EXPECT_EQ(weights(*kept[lane]), weights(*plain[lane])) << lane;
    EXPECT_EQ(kept[lane]->curve(), plain[lane]->curve()) << lane;
    EXPECT_EQ(kept[lane]->events("snapshot").size(), lane == 1 ? 0u : kSteps.size());
  }
  EXPECT_NE(hashes(*kept[0])[0], hashes(*kept[0])[1]);
}

TEST(Snapshots, AreTheWeightsAfterTheirStep) {
  TemporaryFolder folder;
  Place kept(folder.path(), trial("t", 3, 20)), stopped(folder.path(), trial("u", 3, 20));
  kept.snapshots = {7};
  train_bank({&kept});
  train_bank({&stopped}, 0, stopping_after(7));
  const auto checkpoint = store::Checkpoint::read(stopped.folder / "checkpoint-7.safetensors");
  const auto one = testing::network(1), other = testing::network(1);
  load_weights(*one, snapshot(kept.files(), 7).weights);
  load_weights(*other, checkpoint);
  const auto ours = one->parameters(), theirs = other->parameters();
  for (std::size_t i = 0; i < ours.size(); ++i)
    EXPECT_TRUE(ours[i].value.equal(theirs[i].value)) << ours[i].name;
}

TEST(Snapshots, SayWhatTrainingHadUsed) {
  TemporaryFolder folder;
  Place place(folder.path(), trial("t", 1, 20));
  place.snapshots = kSteps;
  train_bank({&place});
  double seconds = 0;
  for (const std::int64_t step : kSteps) {
    const Json used = snapshot(place.files(), step).used;
    const std::int64_t tokens = step * testing::kRows * testing::kTime;  // each is predicted, too
    EXPECT_EQ(used.at("step"), step);
    EXPECT_EQ(used.at("text_tokens"), tokens);
    EXPECT_EQ(used.at("targets"), tokens);
    EXPECT_EQ(used.at("flops"), 11.0 * static_cast<double>(tokens));
    EXPECT_GT(used.at("seconds").get<double>(), seconds);
    seconds = used.at("seconds");
  }
  EXPECT_LT(seconds, place.events("ledger").back().at("seconds").get<double>());
}

TEST(Snapshots, AreTheSameBitsWhereverTrainingWasCutOff) {
  TemporaryFolder complete_folder;
  Place complete(complete_folder.path(), trial("t", 3, 20));
  complete.snapshots = kSteps;
  train_bank({&complete});
  for (const int cut : {1, 6, 7, 8, 13, 19}) {
    TemporaryFolder folder;
    Place place(folder.path(), trial("t", 3, 20));
    place.snapshots = kSteps;
    train_bank({&place}, 0, stopping_after(cut));
    train_bank({&place}, cut);
    EXPECT_EQ(hashes(place), hashes(complete)) << "cut at " << cut;
    EXPECT_EQ(place.events("snapshot").size(), kSteps.size()) << "each is written once";
    EXPECT_EQ(weights(place), weights(complete)) << "cut at " << cut;
  }
}

TEST(Snapshots, AreTheSameOnADeviceHoweverSeldomItIsRead) {
  if (at::hasCUDA()) GTEST_SKIP() << ablate::testing::no_emulated_device();
  std::vector<std::string> each;
  for (const std::int64_t period : {1, 5, 16}) {
    TemporaryFolder folder;
    Place place(folder.path(), trial("t", 3, 20)), other(folder.path(), trial("u", 4, 20));
    place.snapshots = kSteps;
    TrainingSettings settings;
    settings.device = "cpu:0";  // another name of the CPU, treated as a device
    settings.read_every = period;
    train_bank({&place, &other}, 0, settings);
    if (each.empty()) each = hashes(place);
    EXPECT_EQ(hashes(place), each) << "read every " << period;
  }
}

TEST(Snapshots, ThatAreMissingOrDamagedAreFound) {
  TemporaryFolder folder;
  Place place(folder.path(), trial("t", 1, 20));
  place.snapshots = kSteps;
  train_bank({&place});
  const auto file = place.folder / "snapshot-7.safetensors";
  EXPECT_EQ(first_without_snapshot(place.files(), kSteps), std::nullopt);
  EXPECT_EQ(first_without_snapshot(place.files(), {1, 5, 7}), 5) << "none was asked for";
  std::string bytes = read_file(file);
  bytes.back() = static_cast<char>(bytes.back() ^ 1);
  write_file(file, bytes);
  EXPECT_EQ(first_without_snapshot(place.files(), kSteps), 7);
  EXPECT_THAT(place.events("note").back().at("message").get<std::string>(),
              ::testing::StartsWith("the weights after step 7 are not used: "));
  EXPECT_THROW(snapshot(place.files(), 7), DamagedFile);
  remove_snapshots(place.folder);
  EXPECT_EQ(first_without_snapshot(place.files(), kSteps), 1);
  EXPECT_TRUE(final_weights(place.files())) << "nothing else is removed";
}

}  // namespace
}  // namespace ablate::train

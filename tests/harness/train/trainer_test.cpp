// Properties of training: the result does not depend on banks, stopping and resuming.

#include "harness/train/trainer.h"
#include "harness/base/posix/machine_fault.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <condition_variable>
#include <mutex>
#include <optional>

#include "tests/harness/train/tiny.h"
#include "tests/wait_until.h"

namespace ablate::train {
namespace {

using testing::Place;
using testing::stopping_after;
using testing::train_bank;
using testing::trial;
using testing::weights;

TEST(Training, StartsAtTheLogarithmOfTheVocabulary) {
  TemporaryFolder folder;
  Place place(folder.path(), trial("t", 1, 1));
  train_bank({&place});
  const double uniform = std::log(static_cast<double>(testing::kWords.size()));
  EXPECT_NEAR(place.curve().at(0), uniform, 0.05 * uniform);
}

TEST(Training, LearnsWhatCanBeLearnt) {
  TemporaryFolder folder;
  Place place(folder.path(), trial("t", 1, 300, {{"learning_rate", 1e-2}}));
  train_bank({&place});
  EXPECT_LT(place.curve().back(), 0.6 * place.curve().front());
}

TEST(Training, CountsTheStepsWhoseGradientItClipped) {
  TemporaryFolder folder;
  Place all(folder.path(), trial("all", 1, 12, {{"clip", 1e-6}})),
      none(folder.path(), trial("none", 1, 12, {{"clip", 0}}));
  for (Place* place : {&all, &none}) train_bank({place});
  EXPECT_EQ(all.events("ledger").back().at("clipped_steps"), 12);
  EXPECT_EQ(none.events("ledger").back().at("clipped_steps"), 0);
}

/// A lane whose batches have no target but those of every fourth step.
TrainingLane mostly_without_targets(Place& place) {
  TrainingLane lane = place.lane();
  auto& draw = lane.phases[0].draw;
  draw = [draw](std::int64_t step) {
    data::SampledBatch drawn = draw(step);
    if (step % 4 != 3) drawn.batch.scored = {{}};
    return drawn;
  };
  return lane;
}

TEST(Training, HasNoLossInStepsThatScoreNothingAndCountsThem) {
  TemporaryFolder folder;
  Place place(folder.path(), trial("t", 1, 12, {{"curve_points", 12}}));
  std::vector<std::optional<double>> losses;
  TrainingSettings settings;
  settings.progress = [&](const TrainingProgress& made) { losses.push_back(made.loss); };
  const auto model = testing::network(1);
  train(*model, {mostly_without_targets(place)}, 0, settings);
  const std::vector<Json> curve = place.events("curve");
  ASSERT_EQ(curve.size(), 12u);
  for (std::size_t step = 0; step < 12; ++step) {
    EXPECT_EQ(curve[step].at("loss").is_null(), step % 4 != 3) << step;
    EXPECT_EQ(losses.at(step).has_value(), step % 4 == 3) << step;
  }
  EXPECT_EQ(place.events("ledger").back().at("steps_without_target"), 9);
}

TEST(Training, IsTheSameTwiceAndAnotherWithAnotherSeed) {
  TemporaryFolder folder;
  Place a(folder.path(), trial("a", 1, 20)), b(folder.path(), trial("b", 1, 20)),
      c(folder.path(), trial("c", 2, 20));
  for (Place* place : {&a, &b, &c}) train_bank({place});
  EXPECT_EQ(a.curve(), b.curve());
  EXPECT_NE(a.curve(), c.curve());
}

/// A place where draws wait for those of all lanes; a draw that waits in vain notes it.
struct Meeting {
  /// `lane`, whose draws wait for those of `lanes` lanes.
  TrainingLane joined_by(TrainingLane lane, int lanes) {
    auto& draw = lane.phases[0].draw;
    draw = [this, lanes, draw, calls = 0](std::int64_t step) mutable {
      std::unique_lock lock(mutex);
      ++here;
      arrived.notify_all();
      const int expected = lanes * ++calls;
      missed |= !arrived.wait_for(lock, kPatience, [&] { return here >= expected; });
      return draw(step);
    };
    return lane;
  }
  std::mutex mutex;
  std::condition_variable arrived;
  int here = 0;  // draws that have begun
  bool missed = false;
};

TEST(Training, DrawsLanesAtTheSameTimeWithTheBitsOfOneThread) {
  TemporaryFolder apart, together;
  Place a(apart.path(), trial("a", 1, 5)), b(apart.path(), trial("b", 2, 5)),
      same_a(together.path(), trial("a", 1, 5)), same_b(together.path(), trial("b", 2, 5));
  train_bank({&a, &b});
  Meeting meeting;
  TrainingSettings settings;
  settings.threads = 2;
  const auto model = testing::network(2);
  train(*model, {meeting.joined_by(same_a.lane(), 2), meeting.joined_by(same_b.lane(), 2)}, 0,
        settings);
  EXPECT_FALSE(meeting.missed) << "waited " << kPatience.count()
                               << " minutes for the draw of the other lane";
  EXPECT_EQ(weights(same_a), weights(a));
  EXPECT_EQ(weights(same_b), weights(b));
}

TEST(Training, GivesALaneAloneAndInABankTheSameBits) {
  TemporaryFolder alone, together;
  std::vector<std::unique_ptr<Place>> apart, bank;
  std::vector<Place*> lanes;
  for (const std::int64_t seed : {1, 2, 3, 4, 6}) {  // 3 and 6 predict fewer targets, both ways
    const Json train = {{"learning_rate", 1e-3 * static_cast<double>(seed)}, {"dropout", 0.1}};
    const plan::Trial made = trial("t" + std::to_string(seed), seed, 20, train);
    apart.push_back(std::make_unique<Place>(alone.path(), made));
    bank.push_back(std::make_unique<Place>(together.path(), made));
    lanes.push_back(bank.back().get());
    train_bank({apart.back().get()});
  }
  train_bank(lanes);
  for (std::size_t lane = 0; lane < bank.size(); ++lane) {
    EXPECT_EQ(weights(*bank[lane]), weights(*apart[lane])) << lane;
    EXPECT_EQ(bank[lane]->curve(), apart[lane]->curve()) << lane;
  }
}

/// What readers make of a curve that several attempts wrote: the last attempt of each step.
std::map<std::int64_t, Json> points(const Place& place) {
  std::map<std::int64_t, Json> by_step;
  for (Json event : place.events("curve")) {
    for (const char* changing : {"time", "seconds", "attempt", "sum"}) event.erase(changing);
    by_step[event.at("step")] = event;
  }
  return by_step;
}

TEST(Training, EndsInTheSameBitsWhereverItWasCutOff) {
  TemporaryFolder whole_folder;
  Place whole(whole_folder.path(), trial("t", 3, 20));
  Place other(whole_folder.path(), trial("u", 4, 20));
  train_bank({&whole, &other});
  for (const int cut : {1, 7, 13, 19}) {
    TemporaryFolder folder;
    Place first(folder.path(), trial("t", 3, 20)), second(folder.path(), trial("u", 4, 20));
    EXPECT_EQ(train_bank({&first, &second}, 0, stopping_after(cut))[0].end, LaneEnd::stopped);
    ASSERT_EQ(resumable_steps(first.files()), std::vector<std::int64_t>{cut});
    train_bank({&second}, cut);  // one goes on alone, then the other
    train_bank({&first}, cut);
    EXPECT_EQ(weights(first), weights(whole)) << "cut at " << cut;
    EXPECT_EQ(weights(second), weights(other)) << "cut at " << cut;
    EXPECT_EQ(points(first), points(whole));
    Json ledger = first.events("ledger").back(), expected = whole.events("ledger").back();
    for (const char* key : {"steps", "text_tokens", "targets", "flops", "epochs", "realised"})
      EXPECT_EQ(ledger.at(key), expected.at(key)) << key;
  }
}

TEST(Training, KeepsTheLastTwoCheckpointsUntilThereAreWeights) {
  TemporaryFolder folder;
  Place place(folder.path(), trial("t", 1, 9));
  TrainingSettings settings = stopping_after(5);
  settings.checkpoint_seconds = 0;
  train_bank({&place}, 0, settings);
  EXPECT_EQ(resumable_steps(place.files()), (std::vector<std::int64_t>{5, 4}));
  EXPECT_FALSE(final_weights(place.files()));
  train_bank({&place}, 5);
  EXPECT_TRUE(resumable_steps(place.files()).empty());
  EXPECT_TRUE(final_weights(place.files()));
  for (const auto& entry : std::filesystem::directory_iterator(place.folder))
    EXPECT_FALSE(entry.path().filename().string().starts_with("checkpoint")) << entry.path();
}

TEST(Training, GoesOnWithoutACheckpointThatCannotBeWritten) {
  TemporaryFolder folder;
  Place place(folder.path(), trial("t", 1, 3)), untroubled(folder.path(), trial("u", 1, 3));
  std::filesystem::create_directory(place.folder / "checkpoint-1.safetensors");  // in its place
  std::vector<std::string> notes;
  TrainingSettings settings;
  settings.checkpoint_seconds = 0;
  settings.note = [&](const std::string& note) { notes.push_back(note); };
  EXPECT_EQ(train_bank({&place}, 0, settings).at(0).end, LaneEnd::completed);
  const auto missing = ::testing::AllOf(::testing::HasSubstr("no checkpoint after step 1: "),
                                        ::testing::HasSubstr("could not be replaced"),
                                        ::testing::HasSubstr("the next one is tried in 0 seconds"));
  EXPECT_THAT(notes, ::testing::ElementsAre(missing));
  ASSERT_EQ(place.events("note").size(), 1u);
  EXPECT_THAT(place.events("note")[0].at("message").get<std::string>(), missing);
  EXPECT_EQ(place.events("checkpoint").at(0).at("step"), 2) << "the next one is there";
  train_bank({&untroubled}, 0, settings);
  EXPECT_EQ(place.curve(), untroubled.curve());
}

TEST(Training, IsNotStoppedWithoutACheckpointInSilence) {
  TemporaryFolder folder;
  Place place(folder.path(), trial("t", 1, 3));
  std::filesystem::create_directory(place.folder / "checkpoint-1.safetensors");
  EXPECT_THROW(train_bank({&place}, 0, stopping_after(1)), MachineFault);
}

TEST(Training, PassesOverADamagedCheckpointAndSaysSo) {
  TemporaryFolder folder;
  Place place(folder.path(), trial("t", 1, 9));
  TrainingSettings settings = stopping_after(5);
  settings.checkpoint_seconds = 0;
  train_bank({&place}, 0, settings);
  const auto file = place.folder / "checkpoint-5.safetensors";
  std::string bytes = read_file(file);
  bytes[bytes.size() / 2] ^= 1;
  write_file(file, bytes);
  EXPECT_EQ(resumable_steps(place.files()), std::vector<std::int64_t>{4});
  ASSERT_EQ(place.events("note").size(), 1u);
  EXPECT_NE(place.events("note")[0].at("message").get<std::string>().find("checkpoint-5"),
            std::string::npos);
}

TEST(Training, RefusesTheCheckpointOfAnotherTrial) {
  TemporaryFolder folder;
  Place place(folder.path(), trial("t", 1, 9)), other(folder.path(), trial("u", 1, 9));
  train_bank({&place, &other}, 0, stopping_after(5));
  const char* const name = "checkpoint-5.safetensors";
  std::filesystem::copy_file(other.folder / name, place.folder / name,
                             std::filesystem::copy_options::overwrite_existing);
  EXPECT_TRUE(resumable_steps(place.files()).empty());
  EXPECT_THROW(train_bank({&place}, 5), DamagedFile);
}

TEST(Training, RemovesWhatAKilledProcessLeftHalfWritten) {
  TemporaryFolder folder;
  Place place(folder.path(), trial("t", 1, 9));
  train_bank({&place}, 0, stopping_after(5));
  write_file(place.folder / "checkpoint-7.safetensors.tmp.123", "half");
  write_file(place.folder / "checkpoint-7.safetensors", "not in the journal");
  resumable_steps(place.files());
  EXPECT_FALSE(std::filesystem::exists(place.folder / "checkpoint-7.safetensors.tmp.123"));
  EXPECT_FALSE(std::filesystem::exists(place.folder / "checkpoint-7.safetensors"));
  EXPECT_TRUE(std::filesystem::exists(place.folder / "checkpoint-5.safetensors"));
}

TEST(Training, StopsALaneThatDivergesAndNoOther) {
  TemporaryFolder folder, calm;
  const Json wild = {{"learning_rate", 10}, {"clip", 0}, {"warmup", 0}, {"schedule", "constant"}};
  Place good(folder.path(), trial("good", 1, 120)), bad(folder.path(), trial("bad", 2, 120, wild));
  Place same(calm.path(), trial("good", 1, 120));
  std::vector<std::size_t> ended;
  TrainingSettings settings;
  settings.ended = [&](std::size_t lane, const TrainingResult&) { ended.push_back(lane); };
  const auto results = train_bank({&good, &bad}, 0, settings);
  train_bank({&same});
  EXPECT_EQ(results[0].end, LaneEnd::completed);
  EXPECT_EQ(results[1].end, LaneEnd::diverged);
  EXPECT_FALSE(results[1].message.empty());
  EXPECT_EQ(ended, (std::vector<std::size_t>{1, 0}));
  EXPECT_EQ(weights(good), weights(same)) << "its neighbour has changed it";
  EXPECT_FALSE(std::filesystem::exists(bad.folder / "weights.safetensors"));
  EXPECT_LT(bad.events("ledger").at(0).at("steps"), 120);
}

TEST(Training, EndsEachLaneWithItsOwnBudget) {
  TemporaryFolder folder, alone;
  const Json targets = {{"budget", {{"targets", 300}}}};  // lane of seed 3 predicts fewer a step
  Place dense(folder.path(), trial("d", 1, 0, targets)),
      sparse(folder.path(), trial("s", 3, 0, targets));
  Place apart(alone.path(), trial("d", 1, 0, targets));
  train_bank({&dense, &sparse});
  train_bank({&apart});
  EXPECT_EQ(weights(dense), weights(apart));
  const Json few = dense.events("ledger").at(0), many = sparse.events("ledger").at(0);
  EXPECT_EQ(few.at("steps"), 9);  // 36 targets a step
  EXPECT_GT(many.at("steps"), 15);
  EXPECT_GE(many.at("targets"), 300);
}

TEST(Training, CountsWhatItSpends) {
  TemporaryFolder folder;
  Place place(folder.path(), trial("t", 1, 10));
  train_bank({&place});
  const Json ledger = place.events("ledger").at(0);
  EXPECT_EQ(ledger.at("steps"), 10);
  EXPECT_EQ(ledger.at("text_tokens"), 360);
  EXPECT_EQ(ledger.at("positions"), 360);
  EXPECT_EQ(ledger.at("targets"), 360);
  EXPECT_EQ(ledger.at("trunk_flops"), 3600);
  EXPECT_EQ(ledger.at("head_flops"), 360);
  EXPECT_EQ(ledger.at("flops"), 3960);
  EXPECT_DOUBLE_EQ(ledger.at("epochs"), 0.3);
  EXPECT_EQ(ledger.at("parameters_without_embeddings"), 60);
  EXPECT_GT(ledger.at("seconds"), 0);
  EXPECT_GT(ledger.at("peak_memory_bytes"), 1 << 20);
  double sum = 0;
  for (const auto& [name, fraction] : ledger.at("time_shares").items())
    sum += fraction.get<double>();
  EXPECT_NEAR(sum, 1, 0.01);
}

TEST(Training, DrawsAsManyPointsOfTheCurveAsAsked) {
  TemporaryFolder folder;
  Place place(folder.path(), trial("t", 1, 40));
  train_bank({&place});
  std::vector<std::int64_t> steps;
  for (const Json& event : place.events("curve")) steps.push_back(event.at("step"));
  EXPECT_EQ(steps, (std::vector<std::int64_t>{1, 8, 16, 24, 32, 40}));
}

TEST(Training, RefusesLanesOfUnlikeDropout) {
  TemporaryFolder folder;
  Place a(folder.path(), trial("a", 1, 2)), b(folder.path(), trial("b", 1, 2, {{"dropout", 0.5}}));
  EXPECT_THROW(train_bank({&a, &b}), std::invalid_argument);
}

TEST(FinalWeights, GiveANetworkWhatWasTrained) {
  TemporaryFolder folder;
  Place place(folder.path(), trial("t", 1, 5));
  train_bank({&place});
  const auto stored = final_weights(place.files());
  ASSERT_TRUE(stored);
  const auto model = testing::network(1);
  load_weights(*model, *stored);
  for (const Parameter& parameter : model->parameters()) {
    const auto values = stored->values(parameter.name, parameter.value.sizes().slice(1).vec());
    EXPECT_TRUE(std::equal(values.begin(), values.end(), parameter.value.data_ptr<float>()))
        << parameter.name;
  }
}

TEST(ResumeGroups, GoOnTogetherFromTheNewestCommonStep) {
  const std::vector<std::int64_t> lanes[] = {{700, 500}, {500, 300}, {700, 500}};
  const auto groups = resume_groups(lanes);
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].step, 500);
  EXPECT_EQ(groups[0].lanes, (std::vector<std::size_t>{0, 1, 2}));
}

TEST(ResumeGroups, PartWhereNothingIsInCommon) {
  const std::vector<std::int64_t> lanes[] = {{700, 650}, {}, {700}, {300}};
  const auto groups = resume_groups(lanes);
  ASSERT_EQ(groups.size(), 3u);
  EXPECT_EQ(groups[0].step, 0);
  EXPECT_EQ(groups[1].step, 300);
  EXPECT_EQ(groups[2].step, 700);
  EXPECT_EQ(groups[2].lanes, (std::vector<std::size_t>{0, 2}));
}

TEST(Training, OfAnObjectiveThatDoesSomethingElseLeavesNoWeights) {
  TemporaryFolder folder;
  Place place(folder.path(), trial("t", 1, 200));
  TrainingLane lane = place.lane();
  lane.phases[0].intended = {{"corruption", 1, 0.5}};  // the tiny objective hides nothing
  const auto network = testing::network(1);
  std::vector<TrainingLane> lanes;
  lanes.push_back(std::move(lane));
  const std::vector<TrainingResult> results = train(*network, std::move(lanes), 0, {});
  EXPECT_EQ(results[0].end, LaneEnd::unfaithful);
  EXPECT_THAT(results[0].message, ::testing::HasSubstr("corruption was 0 over"));
  EXPECT_FALSE(final_weights(place.files()));
  EXPECT_EQ(place.events("ledger").at(0).at("intended").at("corruption"), 1.0);
}

}  // namespace
}  // namespace ablate::train

// Properties of training in phases: each phase is the same as alone, and the result does not depend
// on stopping and resuming.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "harness/plan/trial/phase.h"

#include "tests/harness/train/tiny.h"

namespace ablate::train {
namespace {

using testing::Place;
using testing::stopping_after;
using testing::train_bank;
using testing::trial;
using testing::weights;

/// A trial of phases "p0", "p1" ... of so many steps each.
plan::Trial phased(const std::string& id, std::int64_t seed, const std::vector<std::int64_t>& steps,
                   const Json& train = Json::object()) {
  plan::Trial made = trial(id, seed, 1, train);
  Json& section = made.config["train"];
  made.steps = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    Json phase = {{"name", "p" + std::to_string(i)},
                  {"objective", made.config["objective"]},
                  {"context", testing::kTime},
                  {"members", Json::array({{{"corpus", "main"}, {"share", 1.0}}})}};
    for (const std::string_view key : plan::kPhaseSettings) phase[key] = section[key];
    phase["budget"] = {{"steps", steps[i]}};
    section["phases"].push_back(std::move(phase));
    made.phases.push_back({steps[i], {testing::kTime, 0}});
    made.steps += steps[i];
  }
  section.erase("budget");
  return made;
}

/// The tensors of a file alone: its metadata names its trial.
std::vector<float> values(const std::filesystem::path& file) {
  const store::Checkpoint stored = store::Checkpoint::read(file);
  std::vector<float> all;
  const auto model = testing::network(1);
  for (const Parameter& parameter : model->parameters()) {
    const auto part = stored.values(parameter.name, parameter.value.select(0, 0).sizes().vec());
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

TEST(Phases, BeginWithWhatATrialWithoutPhasesIs) {
  TemporaryFolder folder;
  Place whole(folder.path(), trial("whole", 1, 12));
  Place cut(folder.path(), phased("cut", 1, {12, 5}));
  train_bank({&whole});
  train_bank({&cut});
  EXPECT_EQ(values(cut.folder / "phase-0.safetensors"),
            values(whole.folder / "weights.safetensors"));
  EXPECT_NE(values(cut.folder / "weights.safetensors"),
            values(whole.folder / "weights.safetensors"));
  const std::vector<double> first = whole.curve(), both = cut.curve();
  ASSERT_LT(first.size(), both.size() + 4);
  EXPECT_EQ(both.front(), first.front());
}

TEST(Phases, OfOneAreATrialWithoutPhases) {
  TemporaryFolder folder;
  Place plain(folder.path(), trial("plain", 2, 15));
  Place one(folder.path(), phased("one", 2, {15}));
  train_bank({&plain});
  train_bank({&one});
  EXPECT_EQ(values(one.folder / "weights.safetensors"),
            values(plain.folder / "weights.safetensors"));
  EXPECT_EQ(one.curve(), plain.curve());
  EXPECT_FALSE(plain.events("curve")[0].contains("phase"));
  EXPECT_FALSE(plain.events("ledger")[0].contains("phases"));
}

TEST(Phases, EndInTheSameBitsWhereverTheyWereCutOff) {
  TemporaryFolder whole_folder;
  Place whole(whole_folder.path(), phased("t", 3, {7, 6, 4}));
  train_bank({&whole});
  for (const int cut : {3, 7, 8, 13, 15}) {  // in every phase, and at both borders
    TemporaryFolder folder;
    Place place(folder.path(), phased("t", 3, {7, 6, 4}));
    EXPECT_EQ(train_bank({&place}, 0, stopping_after(cut))[0].end, LaneEnd::stopped);
    ASSERT_EQ(resumable_steps(place.files()), std::vector<std::int64_t>{cut});
    EXPECT_EQ(train_bank({&place}, cut)[0].end, LaneEnd::completed);
    EXPECT_EQ(weights(place), weights(whole)) << "cut at " << cut;
    for (const std::size_t phase : {0, 1})
      EXPECT_EQ(phase_weights(place.files(), phase).sha256(),
                phase_weights(whole.files(), phase).sha256())
          << "cut at " << cut;
    Json ledger = place.events("ledger").back(), expected = whole.events("ledger").back();
    for (const char* key : {"steps", "text_tokens", "targets", "flops", "realised", "phases"})
      EXPECT_EQ(ledger.at(key), expected.at(key)) << key;
  }
}

TEST(Phases, GiveALaneAloneAndInABankTheSameBits) {
  TemporaryFolder alone, together;
  std::vector<std::unique_ptr<Place>> apart, bank;
  std::vector<Place*> lanes;
  for (const std::int64_t seed : {1, 2, 3}) {
    const plan::Trial made = phased("t" + std::to_string(seed), seed, {6, 5}, {{"dropout", 0.1}});
    apart.push_back(std::make_unique<Place>(alone.path(), made));
    bank.push_back(std::make_unique<Place>(together.path(), made));
    lanes.push_back(bank.back().get());
    train_bank({apart.back().get()});
  }
  train_bank(lanes);
  for (std::size_t lane = 0; lane < bank.size(); ++lane) {
    EXPECT_EQ(weights(*bank[lane]), weights(*apart[lane])) << lane;
    EXPECT_EQ(phase_weights(bank[lane]->files(), 0).sha256(),
              phase_weights(apart[lane]->files(), 0).sha256());
  }
}

TEST(Phases, WarmUpAnewEachOverItsOwnBudget) {
  TemporaryFolder folder;
  const Json train = {{"learning_rate", 0.01}, {"warmup", 0.5}, {"curve_points", 100}};
  plan::Trial made = phased("t", 1, {10, 20}, train);
  made.config["train"]["phases"][1]["learning_rate"] = 0.002;
  Place place(folder.path(), made);
  train_bank({&place});
  const auto points = place.events("curve");
  ASSERT_EQ(points.size(), 30u);
  const auto rate = [&](std::size_t step) {
    return points[step].at("learning_rate").get<double>();
  };
  EXPECT_NEAR(rate(0), 0.01 * 0.05 / 0.5, 1e-12);
  EXPECT_NEAR(rate(4), 0.01 * 0.45 / 0.5, 1e-12);
  EXPECT_LT(rate(9), 0.001);
  EXPECT_NEAR(rate(10), 0.002 * 0.025 / 0.5, 1e-12);
  EXPECT_NEAR(rate(19), 0.002 * 0.475 / 0.5, 1e-12);
  for (std::size_t step = 0; step < 30; ++step)
    EXPECT_EQ(points[step].at("phase"), step < 10 ? 0 : 1);
}

TEST(Phases, HaveAPointOfTheCurveAtEachBorder) {
  TemporaryFolder folder;
  Place place(folder.path(), phased("t", 1, {7, 9}, {{"curve_points", 2}}));
  train_bank({&place});
  std::vector<std::int64_t> steps;
  for (const Json& point : place.events("curve")) steps.push_back(point.at("step"));
  EXPECT_EQ(steps, (std::vector<std::int64_t>{1, 7, 8, 16}));
}

TEST(Phases, AreSummedInTheLedger) {
  TemporaryFolder folder;
  Place place(folder.path(), phased("t", 1, {7, 9}));
  train_bank({&place});
  const Json ledger = place.events("ledger").at(0);
  ASSERT_EQ(ledger.at("phases").size(), 2u);
  EXPECT_EQ(ledger.at("steps"), 16);
  for (const char* key : {"steps", "text_tokens", "targets", "flops"}) {
    double sum = 0;
    for (const Json& phase : ledger.at("phases")) sum += phase.at(key).get<double>();
    EXPECT_NEAR(ledger.at(key).get<double>(), sum, 1e-9 * sum) << key;
  }
  // The second phase's rows are half as long.
  EXPECT_EQ(ledger.at("phases")[1].at("text_tokens"), 9 * testing::kRows * testing::kTime / 2);
}

TEST(Phases, KeepTheirWeightsBesideTheCheckpoints) {
  TemporaryFolder folder;
  Place place(folder.path(), phased("t", 1, {4, 8}));
  TrainingSettings settings = stopping_after(9);
  settings.checkpoint_seconds = 0;
  train_bank({&place}, 0, settings);
  EXPECT_EQ(resumable_steps(place.files()), (std::vector<std::int64_t>{9, 8}));
  EXPECT_NO_THROW(phase_weights(place.files(), 0));
  EXPECT_THROW(phase_weights(place.files(), 1), DamagedFile);
}

TEST(Phases, AreEachHeldToWhatTheirObjectiveStates) {
  for (const std::size_t unfaithful : {0u, 1u}) {
    TemporaryFolder folder;
    Place place(folder.path(), phased("t", 1, {40, 45}));
    TrainingLane lane = place.lane();
    lane.phases[unfaithful].intended = {{"corruption", 1, 0.1}};  // the tiny objective hides none
    lane.phases[1 - unfaithful].intended = {{"corruption", 0, 0.1}};
    const auto network = testing::network(1);
    const TrainingResult result = train(*network, {lane}, 0, {}).at(0);
    EXPECT_EQ(result.end, LaneEnd::unfaithful);
    EXPECT_THAT(result.message, ::testing::HasSubstr("corruption was 0 over"));
    const Json ledger = place.events("ledger").at(0);
    EXPECT_EQ(ledger.at("steps"), unfaithful == 0 ? 40 : 85) << "ends with its phase";
    EXPECT_EQ(ledger.at("phases").at(unfaithful).at("intended").at("corruption"), 1.0);
    EXPECT_FALSE(final_weights(place.files()));
  }
}

TEST(Phases, WhoseWeightsAreGoneAreToBeTrainedAgain) {
  TemporaryFolder folder;
  Place place(folder.path(), phased("t", 1, {4, 5, 3}));
  train_bank({&place});
  EXPECT_TRUE(has_phase_weights(place.files(), 3));
  std::filesystem::remove(place.folder / "phase-1.safetensors");
  EXPECT_FALSE(has_phase_weights(place.files(), 3));
  EXPECT_TRUE(has_phase_weights(place.files(), 2)) << "the last phase's are the final ones";
  EXPECT_THAT(place.events("note").back().at("message").get<std::string>(),
              ::testing::HasSubstr("trained again from the start: "));
}

TEST(Phases, GoOnToOtherRowsBesideALaneThatHasDiverged) {
  TemporaryFolder folder, calm;
  const Json wild = {{"learning_rate", 10}, {"clip", 0}, {"warmup", 0}, {"schedule", "constant"}};
  Place good(folder.path(), phased("good", 1, {70, 8})),
      bad(folder.path(), phased("bad", 2, {70, 8}, wild));
  Place same(calm.path(), phased("good", 1, {70, 8}));
  const auto results = train_bank({&good, &bad});
  train_bank({&same});
  EXPECT_EQ(results[0].end, LaneEnd::completed);
  EXPECT_EQ(results[1].end, LaneEnd::diverged);
  EXPECT_EQ(weights(good), weights(same)) << "its neighbour has changed it";
}

TEST(Start, GoesOnFromTheWeightsOfAnotherTrial) {
  TemporaryFolder folder;
  Place first(folder.path(), trial("first", 1, 60, {{"learning_rate", 1e-2}}));
  train_bank({&first});
  const auto file = first.folder / "weights.safetensors";
  const auto named = folder.path() / (store::Checkpoint::read(file).sha256() + ".safetensors");
  std::filesystem::copy_file(file, named);
  Place fresh(folder.path(), trial("fresh", 1, 1)), on(folder.path(), trial("on", 1, 1));
  TrainingLane lane = on.lane();
  lane.start = named;
  const auto both = testing::network(2);
  train(*both, {fresh.lane(), lane}, 0, {});  // its neighbour starts from initial weights
  EXPECT_LT(on.curve().at(0), 0.8 * fresh.curve().at(0));
  Place alone(folder.path(), trial("alone", 1, 1));
  train_bank({&alone});
  EXPECT_EQ(fresh.curve(), alone.curve());
}

TEST(Start, RefusesWeightsThatAreNotWhatTheirNameSays) {
  TemporaryFolder folder;
  Place first(folder.path(), trial("first", 1, 2)), on(folder.path(), trial("on", 1, 1));
  train_bank({&first});
  TrainingLane lane = on.lane();
  lane.start = first.folder / "weights.safetensors";
  const auto model = testing::network(1);
  EXPECT_THROW(train(*model, {lane}, 0, {}), DamagedFile);
}

TEST(Phases, AreOneTrainingForSnapshots) {
  TemporaryFolder folder;
  Place kept(folder.path(), phased("t", 1, {12, 5})), plain(folder.path(), phased("u", 1, {12, 5}));
  kept.snapshots = {5, 14};
  train_bank({&kept});
  train_bank({&plain});
  EXPECT_EQ(values(kept.folder / "weights.safetensors"),
            values(plain.folder / "weights.safetensors"));
  const Json used = snapshot(kept.files(), 14).used;
  const std::int64_t tokens = testing::kRows * (12 * testing::kTime + 2 * testing::kTime / 2);
  EXPECT_EQ(used.at("text_tokens"), tokens);
  EXPECT_EQ(used.at("flops"), 11.0 * static_cast<double>(tokens)) << "each token is predicted, too";
}

}  // namespace
}  // namespace ablate::train

#include "harness/plan/speed.h"

#include <gtest/gtest.h>

#include "tests/harness/plan/small_catalog.h"

namespace ablate {
namespace {

using testing_support::Folder;
using testing_support::plan_of;
using testing_support::small_experiment;

Trial trial_of(double flops, const char* objective = "plain") {
  Trial trial;
  trial.flops = flops;
  trial.steps = 10;
  trial.config = {{"model", {{"width", 8}}},
                  {"objective", {{"type", objective}}},
                  {"vocabulary", 4},
                  {"train", {{"batch", 2}, {"precision", "float32"}, {"budget", {{"steps", 10}}}}}};
  trial.probes = {{{"id", "of this trial"}, {"type", "loss"}}};
  return trial;
}

Speeds observed(const Timing& timing) {
  Speeds speeds;
  speeds.observe(timing);
  return speeds;
}

TEST(Speeds, KnowTheirOwnKindWithTheSecondsBesideTraining) {
  Speeds speeds = observed({"cpu", {trial_of(1e9)}, 2, 3});
  EXPECT_DOUBLE_EQ(speeds.seconds({trial_of(1e9)}, "cpu"), 5);
  EXPECT_DOUBLE_EQ(speeds.seconds({trial_of(2e9)}, "cpu"), 7) << "twice the training";
  speeds.observe({"cpu", {trial_of(1e9)}, 4, 5});
  EXPECT_DOUBLE_EQ(speeds.seconds({trial_of(1e9)}, "cpu"), 7) << "the mean of the two";
}

TEST(Speeds, OfAnotherKindDoNotReplaceThem) {
  Speeds speeds = observed({"cpu", {trial_of(1e9)}, 2, 3});
  speeds.renew(observed({"cpu", {trial_of(1e9, "hide")}, 20, 30}));
  EXPECT_DOUBLE_EQ(speeds.seconds({trial_of(1e9)}, "cpu"), 5);
  EXPECT_DOUBLE_EQ(speeds.seconds({trial_of(1e9, "hide")}, "cpu"), 50);
  speeds.renew(observed({"cpu", {trial_of(1e9)}, 1, 1}));
  EXPECT_DOUBLE_EQ(speeds.seconds({trial_of(1e9)}, "cpu"), 2) << "what was measured last";
}

TEST(Speeds, OfTheNearestSizeOnSuchADeviceStandForOthers) {
  Speeds speeds = observed({"cpu", {trial_of(1e9)}, 1, 0});
  speeds.observe({"cpu", {trial_of(1e12, "hide")}, 10, 0});
  speeds.observe({"cuda:1", {trial_of(1e9, "swap")}, 0.01, 0});
  EXPECT_DOUBLE_EQ(speeds.seconds({trial_of(2e9, "new")}, "cpu"), 2);
  EXPECT_DOUBLE_EQ(speeds.seconds({trial_of(2e12, "new")}, "cpu"), 20);
  EXPECT_DOUBLE_EQ(speeds.seconds({trial_of(2e12, "new")}, "cuda:0"), 20);
}

TEST(Speeds, AreAssumedWhereNothingWasMeasured) {
  const double seconds = Speeds().seconds({trial_of(1e12)}, "cpu");
  EXPECT_GT(seconds, 5);
  EXPECT_LT(seconds, 500);
}

TEST(Speeds, OfABudgetInSecondsAreTheBudget) {
  Trial trial = trial_of(0);
  trial.config["train"]["budget"] = {{"seconds", 40}};
  EXPECT_DOUBLE_EQ(observed({"cpu", {trial}, 40, 2}).seconds({trial}, "cpu"), 42);
}

TEST(Speeds, SurviveTheFileAndADamagedFileIsNone) {
  const Folder folder;
  const auto file = folder.path() / "cache" / "speeds.json";
  observed({"cpu", {trial_of(1e9)}, 2, 3}).write(file);
  EXPECT_DOUBLE_EQ(Speeds::read(file).seconds({trial_of(1e9)}, "cpu"), 5);
  for (const char* damaged : {"", "[]", "{\"a\": 3}", "{\"a\": {\"flops\": -1}}"}) {
    folder.write("cache/speeds.json", damaged);
    EXPECT_TRUE(Speeds::read(file).empty()) << damaged;
  }
}

TEST(Makespan, GivesEachPieceToWhoIsFirstIdle) {
  EXPECT_DOUBLE_EQ(makespan({3, 3, 3}, 2), 6);
  EXPECT_DOUBLE_EQ(makespan({1, 1, 1, 1}, 4), 1);
  EXPECT_DOUBLE_EQ(makespan({5, 1, 1}, 2), 5);
  EXPECT_DOUBLE_EQ(makespan({}, 0), 0);
}

TEST(Plan, EstimatesByWhatWasMeasuredOfItsOwnTrials) {
  const Folder folder;
  Json experiment = small_experiment();
  experiment["seeds"] = 1;
  const Plan before = plan_of(folder, experiment, {.only = {"arm=plain"}});
  Speeds speeds;
  speeds.observe({"cpu", before.trials, 1000, 234});
  speeds.write(speeds_file());
  EXPECT_DOUBLE_EQ(plan_of(folder, experiment, {.only = {"arm=plain"}}).estimate_seconds, 1234);
}

}  // namespace
}  // namespace ablate

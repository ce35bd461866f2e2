// Measured speeds and the estimates that are made from them.

#include "harness/plan/price/time/speed.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "harness/base/files.h"
#include "harness/base/posix/cores.h"
#include "tests/harness/plan/small_catalog.h"

namespace ablate::plan {
namespace {

using testing_support::plan_of;
using testing_support::small_experiment;

Trial trial_of(double flops, const char* objective = "plain") {
  Trial trial;
  trial.flops = flops;
  trial.steps = 10;
  trial.config = Json{{"model", {{"width", 8}}},
                      {"objective", {{"type", objective}}},
                      {"vocabulary", 4},
                      {"train",
                       {{"batch", 2},
                        {"precision", "float32"},
                        {"kernels", "fused"},
                        {"dropout", 0.0},
                        {"packing", "isolated"},
                        {"budget", {{"steps", 10}}}}}};
  trial.probes = Json{{{"id", "of this trial"}, {"type", "loss"}}};
  return trial;
}

Speeds observed(const Timing& timing) {
  Speeds speeds;
  speeds.observe(timing);
  return speeds;
}

TEST(Speeds, KnowTrainingAndOverheadOfTheirOwnKind) {
  Speeds speeds = observed({"cpu", {trial_of(1e9)}, 2, 3});
  EXPECT_DOUBLE_EQ(speeds.seconds({trial_of(1e9)}, "cpu"), 5);
  EXPECT_DOUBLE_EQ(speeds.seconds({trial_of(2e9)}, "cpu"), 7) << "twice the training";
  EXPECT_DOUBLE_EQ(speeds.overhead_seconds({trial_of(2e9)}, "cpu"), 3) << "no training";
  speeds.observe({"cpu", {trial_of(1e9)}, 4, 5});
  EXPECT_DOUBLE_EQ(speeds.seconds({trial_of(1e9)}, "cpu"), 7) << "the mean of the two";
}

TEST(Speeds, OfAnotherKindDoNotReplaceThem) {
  Speeds speeds = observed({"cpu", {trial_of(1e9)}, 2, 3});
  speeds.add_run(observed({"cpu", {trial_of(1e9, "hide")}, 20, 30}));
  EXPECT_DOUBLE_EQ(speeds.seconds({trial_of(1e9)}, "cpu"), 5);
  EXPECT_DOUBLE_EQ(speeds.seconds({trial_of(1e9, "hide")}, "cpu"), 50);
}

constexpr const char* kToday = "2026-11-27T07:00:00.000Z";

/// What a run observed whose trials took `training` and `overhead` seconds each.
Speeds run_of(double training, double overhead, const std::string& date = kToday, int trials = 3,
              double load = 1) {
  Speeds speeds;
  for (int i = 0; i < trials; ++i)
    speeds.observe({"cpu", {trial_of(1e9)}, training, overhead, date, load});
  return speeds;
}

TEST(Speeds, AreHardlyMovedByARunOnABusyMachine) {
  Speeds speeds;
  for (int run = 0; run < 3; ++run) speeds.add_run(run_of(2, 3));
  speeds.add_run(run_of(44, 66, kToday, 120));  // more trials count no more
  EXPECT_DOUBLE_EQ(speeds.seconds({trial_of(1e9)}, "cpu"), 5);
  Speeds within = run_of(2, 3, kToday, 8);
  within.observe({"cpu", {trial_of(1e9)}, 90, 90, kToday});
  EXPECT_DOUBLE_EQ(within.seconds({trial_of(1e9)}, "cpu"), 5) << "nor one trial of a run";
}

TEST(Speeds, FollowWhatHasChangedForGood) {
  Speeds speeds;
  for (int run = 0; run < 5; ++run) speeds.add_run(run_of(2, 3));
  for (int run = 0; run < 3; ++run) speeds.add_run(run_of(1, 1));
  EXPECT_DOUBLE_EQ(speeds.seconds({trial_of(1e9)}, "cpu"), 2);
}

TEST(Speeds, KeepTheDatesAndTheLoadOfTheirRuns) {
  const testing_support::PlanFolder folder;
  const auto file = folder.path() / "cache" / "speeds.json";
  EXPECT_FALSE(Speeds().timed({trial_of(1e9)}, "cpu").known);
  Speeds speeds;
  speeds.add_run(run_of(2, 3, "2026-11-20T07:00:00.000Z", 3, 1.5));
  speeds.add_run(run_of(2, 3, kToday, 3, 2.5));
  speeds.write(file);
  const Timed timed = Speeds::read(file).timed({trial_of(1e9)}, "cpu");
  EXPECT_TRUE(timed.known);
  EXPECT_EQ(timed.first, "2026-11-20T07:00:00.000Z");
  EXPECT_EQ(timed.last, kToday);
  EXPECT_EQ(timed.load, 2);
}

/// A file as older versions wrote it: sums over a run, on the wall clock.
std::string older_file(const Speeds& speeds, const testing_support::PlanFolder& folder) {
  const auto file = folder.path() / "written.json";
  speeds.write(file);
  Json stored = Json::parse(read_file(file));
  for (Json& kind : stored) kind.erase("runs");
  return stored.dump();
}

TEST(Speeds, OfOlderVersionsAreReadAndGiveWayToTheFirstRun) {
  const testing_support::PlanFolder folder;
  const auto file = folder.write("cache/speeds.json", older_file(run_of(44, 66, ""), folder));
  Speeds speeds = Speeds::read(file);
  EXPECT_DOUBLE_EQ(speeds.seconds({trial_of(1e9)}, "cpu"), 110);
  EXPECT_TRUE(speeds.timed({trial_of(1e9)}, "cpu").known);
  EXPECT_EQ(speeds.timed({trial_of(1e9)}, "cpu").last, "");
  speeds.add_run(run_of(2, 3));
  EXPECT_DOUBLE_EQ(speeds.seconds({trial_of(1e9)}, "cpu"), 5);
}

TEST(Speeds, DependOnEverythingThatDecidesThem) {
  for (const auto& [name, value] :
       std::vector<std::pair<const char*, Json>>{{"batch", 4},
                                                 {"precision", "bfloat16"},
                                                 {"kernels", "plain"},
                                                 {"dropout", 0.1},
                                                 {"packing", "padded"}}) {
    Speeds speeds = observed({"cpu", {trial_of(1e9)}, 2, 3});
    Trial other = trial_of(1e9);
    other.config["train"][name] = value;
    speeds.observe({"cpu", {other}, 20, 30});
    EXPECT_DOUBLE_EQ(speeds.seconds({trial_of(1e9)}, "cpu"), 5) << name;
    EXPECT_DOUBLE_EQ(speeds.seconds({other}, "cpu"), 50) << name;
  }
}

TEST(Speeds, OfTheClosestSizeOnTheSameDeviceAreUsedForOtherKinds) {
  Speeds speeds = observed({"cpu", {trial_of(1e9)}, 1, 0});
  speeds.observe({"cpu", {trial_of(1e12, "hide")}, 10, 0});
  speeds.observe({"cuda:1", {trial_of(1e9, "swap")}, 0.01, 0});
  EXPECT_DOUBLE_EQ(speeds.seconds({trial_of(2e9, "new")}, "cpu"), 2);
  EXPECT_DOUBLE_EQ(speeds.seconds({trial_of(2e12, "new")}, "cpu"), 20);
  EXPECT_DOUBLE_EQ(speeds.seconds({trial_of(2e12, "new")}, "cuda:0"), 20);
}

TEST(Speeds, OfTheSameStepAreUsedWithOtherProbes) {
  Speeds speeds = observed({"cpu", {trial_of(1e9)}, 2, 0});
  speeds.observe({"cpu", {trial_of(1.5e9, "hide")}, 30, 0});  // closer in size
  Trial trial = trial_of(1.5e9);
  trial.probes = Json{{{"type", "accuracy"}}};
  EXPECT_DOUBLE_EQ(speeds.seconds({trial}, "cpu"), 3);
}

TEST(Speeds, TakeTheTimeOfTheSameProbesFromWhatIsClosest) {
  const auto measured_by = [](const std::vector<const char*>& probes, const char* objective) {
    Trial trial = trial_of(1e9, objective);
    Json made = Json::array();
    for (const char* probe : probes) made.push_back({{"type", probe}});
    trial.probes = made;
    return trial;
  };
  Speeds speeds = observed({"cpu", {measured_by({"slow"}, "plain")}, 2, 100});
  EXPECT_DOUBLE_EQ(speeds.overhead_seconds({measured_by({"a", "b"}, "hide")}, "cpu"), 200)
      << "nothing else is known";
  Trial large = measured_by({"a", "b"}, "plain");
  large.flops = 1e12;
  speeds.observe({"cpu", {large}, 50, 4});
  EXPECT_DOUBLE_EQ(speeds.overhead_seconds({measured_by({"a", "b"}, "hide")}, "cpu"), 4);
}

TEST(Speeds, TakeWhatProbesReadIntoAccount) {
  Trial few = trial_of(1e9), many = trial_of(1e9);
  many.measuring_flops = 1e12;
  many.probes = Json{{{"type", "loss"}, {"documents", 1000}}};
  EXPECT_LT(Speeds().overhead_seconds({few}, "cpu"), 1);
  EXPECT_GT(Speeds().overhead_seconds({many}, "cpu"), 10);
  const double assumed = Speeds().overhead_seconds({many}, "cpu");
  const Speeds speeds = observed({"cpu", {few}, 2, 2 * Speeds().overhead_seconds({few}, "cpu")});
  EXPECT_DOUBLE_EQ(speeds.overhead_seconds({many}, "cpu"), 2 * assumed)
      << "this machine is half as fast as was assumed";
}

TEST(Speeds, CountMeasurementsOnTheWay) {
  Trial trial = trial_of(1e9);
  Speeds speeds = observed({"cpu", {trial}, 2, 3});
  trial.probes = Json{{{"type", "loss"}, {"at", {{{"step", 2}}, {{"step", 5}}}}}};
  EXPECT_DOUBLE_EQ(speeds.overhead_seconds({trial}, "cpu"), 9);
  speeds.observe({"cpu", {trial}, 2, 5});
  EXPECT_DOUBLE_EQ(speeds.overhead_seconds({trial}, "cpu"), 5) << "its own kind";
}

TEST(Speeds, AreAssumedIfNothingWasMeasured) {
  const double seconds = Speeds().seconds({trial_of(1e12)}, "cpu");
  EXPECT_GT(seconds, 5);
  EXPECT_LT(seconds, 500);
}

TEST(Speeds, OfABudgetInSecondsAreTheBudget) {
  Trial trial = trial_of(0);
  trial.config["train"]["budget"] = {{"seconds", 40}};
  EXPECT_DOUBLE_EQ(observed({"cpu", {trial}, 40, 2}).seconds({trial}, "cpu"), 42);
}

TEST(Speeds, AreRestoredFromAFileUnlessItIsDamaged) {
  const testing_support::PlanFolder folder;
  const auto file = folder.path() / "cache" / "speeds.json";
  observed({"cpu", {trial_of(1e9)}, 2, 3}).write(file);
  EXPECT_DOUBLE_EQ(Speeds::read(file).seconds({trial_of(1e9)}, "cpu"), 5);
  for (const char* damaged : {"", "[]", "{\"a\": 3}", "{\"a\": {\"flops\": -1}}"}) {
    folder.write("cache/speeds.json", damaged);
    EXPECT_TRUE(Speeds::read(file).empty()) << damaged;
  }
}

TEST(Speeds, OfZeroAreRefusedAsDamaged) {
  const testing_support::PlanFolder folder;
  const auto file = folder.path() / "cache" / "speeds.json";
  observed({"cpu", {trial_of(1e9)}, 2, 0}).write(file);
  ASSERT_FALSE(Speeds::read(file).empty()) << "no overhead is no fault";
  const Json written = Json::parse(read_file(file));
  for (const char* name : {"training_seconds", "trials", "assumed_beside_seconds", "size"}) {
    Json changed = written;
    changed.front()[name] = 0;
    if (name != std::string("size")) changed.front()["runs"][0][name] = 0;
    folder.write("cache/speeds.json", changed.dump());
    EXPECT_TRUE(Speeds::read(file).empty()) << name;
  }
}

TEST(Speeds, KeepTheKindsThatWereObservedLast) {
  const testing_support::PlanFolder folder;
  const auto file = folder.path() / "cache" / "speeds.json";
  constexpr int kKinds = 6000;  // more than a file may hold
  const auto kind = [](int i) {
    Trial trial = trial_of(1e9);
    trial.config["model"]["width"] = i;
    return trial;
  };
  Speeds known = observed({"cpu", {kind(kKinds)}, 2, 3});
  for (int i = 0; i < kKinds; ++i) {
    Speeds measured;
    measured.observe({"cpu", {kind(i)}, 1.0 + i, 0});
    known.add_run(measured);
  }
  known.observe({"cpu", {kind(kKinds)}, 2, 3});  // the oldest, seen again
  known.write(file);
  const Speeds read = Speeds::read(file);
  for (const int i : {kKinds - 1, kKinds - 300})
    EXPECT_DOUBLE_EQ(read.seconds({kind(i)}, "cpu"), 1.0 + i) << i;
  EXPECT_DOUBLE_EQ(read.seconds({kind(kKinds)}, "cpu"), 5);
  EXPECT_LT(std::filesystem::file_size(file), 1u << 18);
  Speeds later = read;
  later.observe({"cpu", {kind(0)}, 7, 0});
  later.write(file);
  EXPECT_DOUBLE_EQ(Speeds::read(file).seconds({kind(0)}, "cpu"), 7) << "it counts on from there";
}

TEST(Makespan, GivesEachPieceToTheFirstIdleWorker) {
  EXPECT_DOUBLE_EQ(makespan({3, 3, 3}, 2), 6);
  EXPECT_DOUBLE_EQ(makespan({1, 1, 1, 1}, 4), 1);
  EXPECT_DOUBLE_EQ(makespan({5, 1, 1}, 2), 5);
  EXPECT_DOUBLE_EQ(makespan({}, 0), 0);
}

TEST(Plan, EstimatesByWhatWasMeasuredOfItsOwnTrials) {
  const testing_support::PlanFolder folder;
  Json experiment = small_experiment();
  experiment["seeds"] = 1;
  const Plan before = plan_of(folder, experiment, {.only = {"arm=plain"}});
  Speeds speeds;
  speeds.observe({"cpu", before.trials, 1000, 234});
  speeds.write(speeds_file());
  EXPECT_DOUBLE_EQ(plan_of(folder, experiment, {.only = {"arm=plain"}}).estimate_seconds, 1234);
}

TEST(Plan, SaysWhatItsEstimateRestsOn) {
  const testing_support::PlanFolder folder;
  const auto basis = [&] { return plan_of(folder, small_experiment()).estimate_basis; };
  EXPECT_EQ(basis(), "at an assumed speed, because nothing similar was timed here");
  const std::vector<Trial> trials = {plan_of(folder, small_experiment()).trials.front()};
  Speeds speeds;
  speeds.observe({"cpu", trials, 10, 2, ""});
  speeds.write(speeds_file());
  EXPECT_EQ(basis(), "from trials that an older version timed by the wall clock");
  for (const char* date : {"2026-11-20T07:00:00.000Z", kToday}) {
    Speeds run;
    run.observe({"cpu", trials, 10, 2, date, 2});
    speeds.add_run(run);
  }
  speeds.write(speeds_file());
  EXPECT_EQ(basis(), "from trials timed 2026-11-20 to 2026-11-27, which got 50 % of a core each");
}

TEST(Plan, EstimatesForTheWorkersThatAreAskedFor) {
  const testing_support::PlanFolder folder;
  Json experiment = small_experiment();
  experiment["seeds"] = 6;
  const auto planned = [&](std::size_t workers) {
    return plan_of(folder, experiment, {.only = {"arm=plain"}, .workers = workers});
  };
  const double alone = planned(1).estimate_seconds;
  EXPECT_DOUBLE_EQ(planned(3).estimate_seconds, alone / 3);
  EXPECT_EQ(planned(3).estimate_workers, 3u);
  EXPECT_EQ(planned(0).estimate_workers, usable_cores());
}

}  // namespace
}  // namespace ablate::plan

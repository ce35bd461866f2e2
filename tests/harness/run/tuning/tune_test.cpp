// Tuning from journals: planted optima, edges, divergence, and runs that are cut off.

#include "harness/run/tuning/tune.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "harness/base/exit_code.h"
#include "harness/run/tuning/freeze.h"
#include "harness/run/tuning/tried.h"
#include "tests/harness/plan/tuning/tuned_catalog.h"
#include "tests/harness/store/fake_results.h"

namespace ablate::run {
namespace {

using plan::testing_support::tuned_catalog;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr double kDiverges = std::numeric_limits<double>::infinity();

class TunedFolder : public testing::Test {
 protected:
  /// The planted loss of an arm at a rate: lowest at its best rate.
  virtual double loss(const std::string& arm, double rate, std::int64_t seed) const {
    const double distance = std::log10(rate / best.at(arm));
    return 2 + distance * distance + 1e-3 * static_cast<double>(seed % 10);
  }

  std::filesystem::path file() const { return folder.write("tuned.json", experiment.dump(2)); }

  /// Writes what a worker leaves of a trial.
  void train(const plan::Trial& trial, const std::string& arm) {
    const double rate = trial.config.at("train").at("learning_rate");
    const double value = loss(arm, rate, trial.seed);
    store::Journal journal = store::testing_support::journal_of(results, trial.id);
    journal.write("attempt", {{"trial", trial}, {"provenance", Json::object()}});
    journal.write("curve", {{"step", 1}, {"loss", 4.5}});
    const bool diverged = value == kDiverges;
    journal.write("ledger", {{"flops", diverged ? 1e6 : 5e6}});
    if (!diverged)
      journal.write(
          "measurement",
          {{"id", trial.probes.ids()[0]}, {"probe", "loss"}, {"metrics", {{"loss.own", value}}}});
    journal.write("outcome", {{"outcome", diverged ? "diverged" : "completed"}, {"message", ""}});
    ++trained;
  }

  /// Runs at most `budget` trials of the plan that are not done.
  int run(const plan::Plan& plan) {
    freeze_tuning_plan(results, plan, false);
    rates_run.push_back(plan.tuning.at("rates"));
    for (const plan::Trial& trial : plan.trials) {
      if (std::filesystem::exists(store::journal_file(results, trial.id))) continue;
      if (budget-- <= 0) return exit_preempted;
      for (const plan::Plan::Arm& arm : plan.arms)
        if (arm.name == trial.arm) train(trial, arm.of);
    }
    return exit_ok;
  }

  TuningResult tuned() {
    const TuningStage stage = {.plan_with =
                                   [&](const std::vector<double>& rates) {
                                     return plan::make_tuning_plan(tuned_catalog(), file(), {},
                                                                   rates);
                                   },
                               .run = [&](const plan::Plan& plan) { return run(plan); },
                               .note = [&](const std::string& note) { notes.push_back(note); }};
    return tune(stage, results);
  }

  plan::testing_support::PlanFolder folder;
  Json experiment = plan::testing_support::tuned_experiment();
  std::filesystem::path results = folder / "results";
  std::map<std::string, double> best = {
      {"plain", 3e-3}, {"hide[rate=0.15]", 3e-3}, {"hide[rate=0.3]", 3e-3}};
  std::int64_t budget = 1'000'000;  // trials
  std::int64_t trained = 0;
  std::vector<std::vector<double>> rates_run;
  std::vector<std::string> notes;
};

std::vector<double> chosen(const plan::Tuned& tuned) {
  std::vector<double> rates;
  for (const plan::TunedArm& arm : tuned.arms) rates.push_back(arm.choice->rate);
  return rates;
}

TEST_F(TunedFolder, FindsThePlantedRateOfEveryArmAndTheBaselinesIsCommon) {
  experiment["tuning"]["learning_rate"] = {1e-4, 1e-3, 3e-3, 1e-2, 1e-1};
  best = {{"plain", 1e-2}, {"hide[rate=0.15]", 1e-3}, {"hide[rate=0.3]", 3e-3}};
  const TuningResult result = tuned();
  ASSERT_TRUE(result.tuned);
  EXPECT_THAT(chosen(*result.tuned), ElementsAre(1e-2, 1e-3, 3e-3));
  EXPECT_EQ(result.tuned->common, 1e-3);
  EXPECT_EQ(result.tuned->extensions, 0);
}

TEST_F(TunedFolder, ExtendsTheRatesForAllArmsWhereOneDoesBestAtAnEdge) {
  best["hide[rate=0.3]"] = 3e-2;  // above 1e-2
  const TuningResult result = tuned();
  ASSERT_TRUE(result.tuned);
  EXPECT_EQ(result.tuned->extensions, 2);
  EXPECT_EQ(result.tuned->rates.size(), 5u);
  for (const plan::TunedArm& arm : result.tuned->arms) {
    EXPECT_EQ(arm.tried.size(), 5u) << arm.arm;
    EXPECT_EQ(arm.trials, 10) << arm.arm;
  }
  EXPECT_THAT(notes.front(), HasSubstr("hide[rate=0.3] does best at an edge"));
  EXPECT_FALSE(result.tuned->arm("hide[rate=0.3]").choice->edges.any());
}

TEST_F(TunedFolder, ExtendsTwiceAtMostAndSaysWhereTheBestIsStillAtAnEdge) {
  best["plain"] = 1e-8;
  const TuningResult result = tuned();
  ASSERT_TRUE(result.tuned);
  EXPECT_EQ(rates_run.size(), 3u);
  EXPECT_TRUE(result.tuned->arm("plain").choice->edges.low);
}

TEST_F(TunedFolder, DoesNotExtendWhereTheFileSaysSo) {
  experiment["tuning"]["extension"] = 0;
  best["plain"] = 1e-8;
  ASSERT_TRUE(tuned().tuned);
  EXPECT_EQ(rates_run.size(), 1u);
}

TEST_F(TunedFolder, ChoosesTheSameWhereverItWasCutOffAndTrainsNothingTwice) {
  best["hide[rate=0.3]"] = 0.1;
  const TuningResult whole = tuned();
  const std::int64_t trials = trained;
  for (const std::int64_t cut : {0, 1, 17, 18, 20, 25}) {
    results = folder / ("cut" + std::to_string(cut));
    budget = cut;
    trained = 0;
    const TuningResult stopped = tuned();
    EXPECT_FALSE(stopped.tuned) << cut;
    EXPECT_EQ(stopped.exit_code, exit_preempted) << cut;
    budget = 1'000'000;
    const TuningResult resumed = tuned();
    ASSERT_TRUE(resumed.tuned) << cut;
    EXPECT_EQ(to_json(*resumed.tuned), to_json(*whole.tuned)) << cut;
    EXPECT_EQ(trained, trials) << cut;
  }
}

TEST_F(TunedFolder, RunsNothingWhenAllIsDone) {
  const TuningResult first = tuned();
  rates_run.clear();
  EXPECT_EQ(to_json(*tuned().tuned), to_json(*first.tuned));
  EXPECT_THAT(rates_run, testing::IsEmpty());
}

TEST_F(TunedFolder, AddsUpTheFlopsOfAllItsTrials) {
  best["hide[rate=0.3]"] = 0.1;
  const TuningResult result = tuned();
  double flops = 0;
  for (const plan::TunedArm& arm : result.tuned->arms) flops += arm.flops;
  EXPECT_EQ(flops, 5e6 * static_cast<double>(trained));
  EXPECT_EQ(to_json(*result.tuned).at("flops"), flops);
}

TEST_F(TunedFolder, RefusesToGoOnInTheTrialsOfOtherSettings) {
  ASSERT_TRUE(tuned().tuned);
  experiment["train"]["batch"] = 8;
  try {
    tuned();
    FAIL() << "other settings were accepted";
  } catch (const std::invalid_argument& error) {
    EXPECT_THAT(error.what(), HasSubstr("train.batch: 4 -> 8"));
  }
}

class DivergingFolder : public TunedFolder {
 protected:
  double loss(const std::string& arm, double rate, std::int64_t seed) const override {
    return rate > highest ? kDiverges : TunedFolder::loss(arm, rate, seed);
  }

  double highest = 5e-3;
};

TEST_F(DivergingFolder, CountsWhatDivergedAsSpentAndNeverChoosesIt) {
  const TuningResult result = tuned();
  ASSERT_TRUE(result.tuned);
  for (const plan::TunedArm& arm : result.tuned->arms) {
    EXPECT_EQ(arm.choice->rate, 3e-3);
    EXPECT_EQ(arm.trials, 6);
    EXPECT_EQ(arm.diverged, 2);
    EXPECT_EQ(arm.flops, 4 * 5e6 + 2 * 1e6);
  }
}

TEST_F(DivergingFolder, LooksForLowerRatesWhereAllDivergeAndSaysSoAtTheEnd) {
  highest = 0;
  try {
    tuned();
    FAIL() << "a rate was chosen";
  } catch (const std::invalid_argument& error) {
    EXPECT_THAT(error.what(), HasSubstr("diverged at every learning rate"));
  }
  EXPECT_EQ(rates_run.size(), 3u);
  EXPECT_LT(rates_run.back().front(), 1e-3);
}

TEST_F(TunedFolder, WaitsForATrialThatFailed) {
  const plan::Plan plan = plan::make_tuning_plan(tuned_catalog(), file(), {});
  run(plan);
  EXPECT_TRUE(tried_by(plan, results));
  store::Journal journal(store::journal_file(results, plan.trials[3].id));
  journal.write("attempt", {{"trial", plan.trials[3]}, {"provenance", Json::object()}});
  journal.write("outcome", {{"outcome", "failed"}, {"message", "why"}});
  EXPECT_FALSE(tried_by(plan, results));
}

}  // namespace
}  // namespace ablate::run

// The plans of an experiment that tunes: before, while and after learning rates are chosen.

#include "harness/plan/tuning/stage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "harness/plan/trial/plan_json.h"
#include "tests/harness/plan/tuning/tuned_catalog.h"

namespace ablate::plan {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing_support::PlanFolder;
using testing_support::tuned_at;
using testing_support::tuned_catalog;
using testing_support::tuned_experiment;

class TunedPlan : public testing::Test {
 protected:
  std::filesystem::path file(const Json& experiment) const {
    return folder.write("experiment.json", experiment.dump(2));
  }

  std::string refusal(const Json& experiment, const Overrides& overrides = {}) const {
    try {
      make_plan(tuned_catalog(), file(experiment), overrides);
      return "";
    } catch (const ExperimentRefused& refused) {
      return refused.what();
    }
  }

  PlanFolder folder;
  Tuned tuned =
      tuned_at({{"plain", 1e-2}, {"hide[rate=0.15]", 1e-3}, {"hide[rate=0.3]", 1e-3}}, 1e-3);
};

TEST_F(TunedPlan, TriesTheSameRatesWithTheSameSeedsForEveryArm) {
  const Plan plan = make_tuning_plan(tuned_catalog(), file(tuned_experiment()), {});
  std::map<std::string, std::multiset<std::pair<double, std::int64_t>>> by_arm;
  std::map<std::string, std::string> own;
  for (const Plan::Arm& arm : plan.arms) own[arm.name] = arm.of;
  for (const Trial& trial : plan.trials)
    by_arm[own.at(trial.arm)].emplace(trial.config.at("train").at("learning_rate"), trial.seed);
  ASSERT_EQ(by_arm.size(), 3u);
  std::multiset<std::pair<double, std::int64_t>> expected;
  for (const double rate : {1e-3, 3e-3, 1e-2})
    for (const std::int64_t seed : {kFirstTuningSeed, kFirstTuningSeed + 1})
      expected.emplace(rate, seed);
  for (const auto& [arm, tries] : by_arm) EXPECT_EQ(tries, expected) << arm;
}

TEST_F(TunedPlan, TunesWithSeedsOnTextAndByMeasurementsThatTheResultDoesNotHave) {
  const auto path = file(tuned_experiment());
  const Plan tuning = make_tuning_plan(tuned_catalog(), path, {});
  const Plan result = make_tuned_plan(tuned_catalog(), path, {}, tuned);
  std::set<std::int64_t> seeds;
  std::set<std::string> hashes, ids;
  for (const Trial& trial : result.trials) {
    seeds.insert(trial.seed);
    hashes.insert(trial.config.at("corpus").at("hash"));
    ids.insert(trial.id);
  }
  EXPECT_EQ(seeds, (std::set<std::int64_t>{1, 2, 3, 4, 5, 6}));
  ASSERT_EQ(tuning.trials.size(), 18u);
  for (const Trial& trial : tuning.trials) {
    EXPECT_FALSE(seeds.contains(trial.seed));
    EXPECT_FALSE(ids.contains(trial.id));
    EXPECT_FALSE(hashes.contains(trial.config.at("corpus").at("hash")));
    ASSERT_EQ(trial.probes.size(), 1u);
    EXPECT_EQ(trial.probes.settings()[0].at("type"), "loss");
  }
}

TEST_F(TunedPlan, HasEachArmAtItsOwnRateAndAtTheCommonOneWithOneTrialForBoth) {
  const Plan plan = make_tuned_plan(tuned_catalog(), file(tuned_experiment()), {}, tuned);
  std::vector<std::string> arms;
  for (const Plan::Arm& arm : plan.arms) arms.push_back(arm.name + "/" + arm.of);
  EXPECT_THAT(arms, testing::ElementsAre("plain/", "plain[learning_rate=0.001]/plain",
                                         "hide[rate=0.15]/", "hide[rate=0.3]/"));
  EXPECT_EQ(plan.trials.size(), 4u * 6u);
  EXPECT_EQ(plan.metrics.size(), 4u);
  EXPECT_EQ(plan.ledger.size(), 4u);
  for (const Plan::Arm& arm : plan.arms) EXPECT_EQ(arm.baseline, arm.name == "hide[rate=0.15]");
  EXPECT_EQ(plan.tuning.at("common_rate"), 1e-3);
  EXPECT_EQ(plan.tuning.at("flops"), 3e9);
}

TEST_F(TunedPlan, GivesTrialsTheIdsOfAnExperimentWithoutTuningAtThatRate) {
  const Plan result = make_tuned_plan(tuned_catalog(), file(tuned_experiment()), {}, tuned);
  std::set<std::string> ids;
  for (const Trial& trial : result.trials) ids.insert(trial.id);
  Json untuned = testing_support::small_experiment();
  std::set<std::string> expected;
  for (const double rate : {1e-3, 1e-2}) {
    untuned["train"]["learning_rate"] = rate;
    for (const Trial& trial : make_plan(tuned_catalog(), file(untuned), {}).trials)
      if (rate == 1e-3 || trial.arm == "plain") expected.insert(trial.id);
  }
  EXPECT_EQ(ids, expected);
}

TEST_F(TunedPlan, CountsTheComparisonsOfOneTableAlone) {
  const Plan result = make_tuned_plan(tuned_catalog(), file(tuned_experiment()), {}, tuned);
  const Plan untuned = make_plan(tuned_catalog(), file(testing_support::small_experiment()), {});
  EXPECT_EQ(result.power, untuned.power);
}

TEST_F(TunedPlan, HasNoTrialsBeforeTheChoiceButPricesBothStages) {
  const Plan plan = make_plan(tuned_catalog(), file(tuned_experiment()), {});
  EXPECT_THAT(plan.trials, IsEmpty());
  EXPECT_EQ(plan.tuning.at("stage"), "before");
  EXPECT_EQ(plan.tuning.at("trials"), 18);
  EXPECT_EQ(plan.tuning.at("result").at("trials"), Json({18, 30}));
  EXPECT_GT(plan.estimate_seconds, plan.tuning.at("estimate_seconds").get<double>());
}

TEST_F(TunedPlan, IsReadBackAsItWasWritten) {
  const Plan plan = make_tuned_plan(tuned_catalog(), file(tuned_experiment()), {}, tuned);
  EXPECT_EQ(to_json(plan_from_json(to_json(plan))), to_json(plan));
}

TEST_F(TunedPlan, LeavesNoTraceInThePlanOfAnExperimentWithoutTuning) {
  const std::string text =
      to_json(make_plan(tuned_catalog(), file(testing_support::small_experiment()), {})).dump();
  EXPECT_EQ(text.find("tuning"), text.npos);
  EXPECT_EQ(text.find("\"of\""), text.npos);
}

TEST_F(TunedPlan, RefusesWhatCannotBeTuned) {
  Json experiment = tuned_experiment();
  const auto changed = [&](const char* pointer, const Json& value) {
    Json other = experiment;
    other[Json::json_pointer(pointer)] = value;
    return refusal(other);
  };
  EXPECT_EQ(refusal(experiment), "");
  EXPECT_THAT(changed("/arms/0/set/train.learning_rate", 1e-3),
              HasSubstr("arm 'plain' sets train.learning_rate, which \"tuning\" chooses"));
  EXPECT_THAT(changed("/tuning", {{"seeds", 3}}), HasSubstr("\"tuning\" names no learning rates"));
  EXPECT_THAT(changed("/tuning/learning_rate", {1e-3}), HasSubstr("1 learning rate; accepted: 2"));
  EXPECT_THAT(changed("/tuning/learning_rate", {1e-3, 1e-3}), HasSubstr("0.001 is given twice"));
  EXPECT_THAT(changed("/tuning/learning_rate", {1e-3, 20}),
              HasSubstr("20 is not a learning rate in [1e-09, 10]"));
  EXPECT_THAT(changed("/tuning/criterion", "loss.owm"), HasSubstr("did you mean 'loss.own'?"));
  EXPECT_THAT(changed("/tuning/criterion", "loss.at_15"), HasSubstr("of every arm"))
      << "arm 'plain' has no such metric";
  EXPECT_THAT(changed("/tuning/sedes", 2), HasSubstr("sedes"));
  EXPECT_THAT(changed("/seeds", {1, 2, kFirstTuningSeed}),
              HasSubstr("the result needs fresh seeds"));
  EXPECT_THAT(changed("/train/phases", {{{"name", "a"}, {"budget", {{"share", 1.0}}}}}),
              HasSubstr("trains in phases"));
}

TEST_F(TunedPlan, RefusesToTuneAPart) {
  EXPECT_THAT(refusal(tuned_experiment(), {.only = {"arm=plain"}}),
              HasSubstr("no part of an experiment with \"tuning\" can be run"));
  EXPECT_THAT(refusal(tuned_experiment(), {.drop = {"plain"}}),
              HasSubstr("no part of an experiment with \"tuning\" can be run"));
}

}  // namespace
}  // namespace ablate::plan

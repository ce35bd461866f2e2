// The part of an experiment that --only and --drop leave.

#include "harness/plan/prepare/part.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/plan/trial/plan_json.h"
#include "tests/harness/plan/small_catalog.h"

namespace ablate::plan {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing_support::plan_of;
using testing_support::refusal_of;
using testing_support::small_experiment;

std::vector<std::string> arms_of(const Plan& plan) {
  std::vector<std::string> names;
  for (const Plan::Arm& arm : plan.arms) names.push_back(arm.name);
  return names;
}

std::vector<std::string> trials_of(const Plan& plan) {
  std::vector<std::string> texts;
  for (const Trial& trial : plan.trials) texts.push_back(Json(trial).dump());
  return texts;
}

TEST(Part, IsAnalysedByItself) {
  const testing_support::PlanFolder folder;
  const Plan all = plan_of(folder, small_experiment());
  const Plan some = plan_of(folder, small_experiment(), {.only = {"arm=hide"}});
  EXPECT_THAT(arms_of(some), ElementsAre("hide[rate=0.15]", "hide[rate=0.3]"));
  EXPECT_EQ(some.ledger.size(), 2u);
  EXPECT_EQ(some.metrics.size(), 2u);
  EXPECT_EQ(some.resolved.at("arms").size(), 2u);
  EXPECT_THAT(all.power, HasSubstr("2 comparisons"));
  EXPECT_THAT(some.power, HasSubstr("1 comparison "));
  EXPECT_LT(some.estimate_seconds, all.estimate_seconds);
}

TEST(Part, LeavesItsTrialsAsTheyAre) {
  const testing_support::PlanFolder folder;
  Json experiment = small_experiment();
  experiment["arms"].push_back(
      {{"name", "many"}, {"set", {{"objective", {{"type", "hide"}, {"sentinels", 5}}}}}});
  const Plan all = plan_of(folder, experiment);
  const Plan some = plan_of(folder, experiment, {.drop = {"many"}});
  std::vector<std::string> expected = trials_of(all);
  expected.resize(18);
  EXPECT_EQ(trials_of(some), expected);
  EXPECT_EQ(some.vocabulary.sentinels, 5) << "all arms share the vocabulary, also those left out";
}

TEST(Part, TakesSeeds) {
  const testing_support::PlanFolder folder;
  const Plan some =
      plan_of(folder, small_experiment(), {.only = {"arm=hide[rate=0.150],seed=2..3", "seed=6"}});
  EXPECT_EQ(some.resolved.at("seeds"), Json({2, 3, 6}));
  ASSERT_EQ(some.trials.size(), 3u);
  EXPECT_EQ(some.trials[2].seed, 6);
}

TEST(Part, KeepsTheBaselineWithoutTrials) {
  const testing_support::PlanFolder folder;
  const Plan some = plan_of(folder, small_experiment(), {.only = {"arm=plain"}});
  EXPECT_THAT(arms_of(some), ElementsAre("plain", "hide[rate=0.15]"));
  EXPECT_TRUE(some.arms[1].baseline);
  EXPECT_EQ(some.trials.size(), 6u);
  EXPECT_THAT(some.warnings,
              testing::Contains(HasSubstr("no trial of the baseline 'hide[rate=0.15]'")));
}

TEST(Part, KnowsTheCompleteExperiment) {
  const testing_support::PlanFolder folder;
  const Plan all = plan_of(folder, small_experiment());
  const Plan some = plan_of(folder, small_experiment(), {.only = {"seed=1"}});
  EXPECT_TRUE(all.part_of.is_null());
  EXPECT_FALSE(to_json(all).contains("part_of"));
  EXPECT_EQ(some.part_of.at("arms").size(), 3u);
  EXPECT_EQ(some.part_of.at("seeds").size(), 6u);
  EXPECT_EQ(some.part_of.at("warnings"), all.warnings);
  EXPECT_EQ(some.part_of.at("power"), all.power);
  EXPECT_EQ(to_json(plan_from_json(to_json(some))), to_json(some));
}

TEST(Part, NeedNotMatchWhatIsLeftOut) {
  const testing_support::PlanFolder folder;
  Json experiment = small_experiment();
  experiment["match"] = {{"on", {"parameters"}}};
  experiment["arms"].push_back(
      {{"name", "wide"}, {"set", {{"objective", {{"type", "plain"}}}, {"model.width", 64}}}});
  EXPECT_THAT(refusal_of(folder, experiment), HasSubstr("arms differ in parameters"));
  EXPECT_EQ(refusal_of(folder, experiment, {.drop = {"wide"}}), "");
}

TEST(Part, HoldsTrialsThatAreNotSelected) {
  const testing_support::PlanFolder folder;
  const Plan some =
      plan_of(folder, small_experiment(),
              {.only = {"arm=hide,seed=1"}, .held = {{"plain", 2}, {"plain", 9}, {"absent", 1}}});
  ASSERT_EQ(some.trials.size(), 4u);
  EXPECT_EQ(some.trials[0].arm, "plain");
  EXPECT_EQ(some.resolved.at("seeds"), Json({1, 2, 9}));
}

TEST(Dropped, StandsForAnArmOrAllArmsOfAnEntry) {
  const testing_support::PlanFolder folder;
  EXPECT_THAT(arms_of(plan_of(folder, small_experiment(), {.drop = {"hide[rate=0.3]"}})),
              ElementsAre("plain", "hide[rate=0.15]"));
  EXPECT_THAT(
      arms_of(plan_of(folder, small_experiment(), {.set = {"baseline=plain"}, .drop = {"hide"}})),
      ElementsAre("plain"));
}

TEST(Dropped, MustExistAndNotBeTheBaseline) {
  const testing_support::PlanFolder folder;
  EXPECT_THAT(refusal_of(folder, small_experiment(), {.drop = {"hid"}}),
              HasSubstr("--drop hid: error: no arm has this name; there are: plain"));
  EXPECT_EQ(refusal_of(folder, small_experiment(), {.drop = {"hide"}}),
            "--drop hide: error: arm 'hide[rate=0.15]' is the baseline; name another one: --set "
            "'baseline=plain'");
}

}  // namespace
}  // namespace ablate::plan

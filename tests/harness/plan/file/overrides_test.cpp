// The flags --set, --only, --drop and --arm.

#include "harness/plan/file/overrides.h"
#include "harness/plan/trial/plan_json.h"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/plan/preview/preview.h"

#include "tests/harness/plan/small_catalog.h"

namespace ablate::plan {
namespace {

using testing::HasSubstr;
using testing_support::plan_of;
using testing_support::refusal_of;
using testing_support::small_experiment;

TEST(Set, HasTheSameEffectAsEditingTheFile) {
  const testing_support::PlanFolder folder;
  Json edited = small_experiment();
  edited["train"]["batch"] = 8;
  edited["train"]["schedule"] = "linear";
  edited["train"]["budget"] = {{"steps", 3}};
  edited["seeds"] = {7, 9};
  const Plan flagged = plan_of(
      folder, small_experiment(),
      {.set = {"train.batch=8", "train.schedule=linear", "train.budget.steps=3", "seeds=[7,9]"}});
  EXPECT_EQ(to_json(flagged), to_json(plan_of(folder, edited)));
}

TEST(Set, IsRefusedOnWhatAnArmSweeps) {
  const testing_support::PlanFolder folder;
  EXPECT_EQ(
      testing_support::refusal_of(folder, small_experiment(), {.set = {"objective.rate=0.5"}}),
      "--set objective.rate=0.5: error: objective.rate is swept by arm 'hide'; select one of "
      "its points with --only 'arm=hide[...]', or edit the sweep in the file");
}

TEST(Set, IsRefusedOnPathsThatExperimentsDoNotHave) {
  const testing_support::PlanFolder folder;
  const auto refused = [&](const std::string& flag) {
    return testing_support::refusal_of(folder, small_experiment(), {.set = {flag}});
  };
  EXPECT_EQ(refused("train.bach=8"),
            "--set train.bach=8: error: train: no parameter is named 'bach'; did you mean "
            "'batch'? accepted here: budget, batch, micro_batch, loss, learning_rate, schedule, "
            "warmup, decay, "
            "final_rate, beta1, beta2, epsilon, weight_decay, clip, dropout, precision, kernels, "
            "packing, curve_points");
  EXPECT_EQ(refused("trian.batch=8"),
            "--set trian.batch=8: error: no path that --set can change starts with 'trian'; did "
            "you mean 'train'?");
  EXPECT_EQ(
      refused("arms=[]"),
      "--set arms=[]: error: no path that --set can change starts with 'arms'; there are: "
      "corpus, model, train, objective, baseline, seeds, match, probes, analysis, tuning, limits, "
      "question, launcher");
  EXPECT_EQ(
      refused("train.batch"),
      "--set train.batch: error: is not of the form path=value; for example --set train.batch=32");
  EXPECT_EQ(refused("train.batch=0"),
            "--set train.batch=0: error: train: batch = 0 is outside [1, 65536] (texts per step)");
  EXPECT_EQ(refused("seeds=[1,"),
            "--set seeds=[1,: error: the value is not JSON: the text ends too early; expected a "
            "value; quote it for the shell");
}

TEST(Set, SaysWhichArmsItDoesNotReach) {
  const testing_support::PlanFolder folder;
  Json experiment = small_experiment();
  experiment["arms"][0]["set"]["train.learning_rate"] = 0.1;
  const Plan plan = plan_of(folder, experiment, {.set = {"train.learning_rate=0.2"}});
  EXPECT_EQ(plan.warnings.at(0),
            "--set train.learning_rate=0.2 does not reach arm 'plain', which sets "
            "train.learning_rate itself");
  EXPECT_EQ(plan.arms[0].config["train"]["learning_rate"], 0.1);
  EXPECT_EQ(plan.arms[1].config["train"]["learning_rate"], 0.2);
}

TEST(Set, ReachesASettingOfAProbeByItsType) {
  const testing_support::PlanFolder folder;
  Json edited = small_experiment();
  edited["probes"] = {{{"type", "loss"}, {"texts", 7}}};
  EXPECT_EQ(to_json(plan_of(folder, small_experiment(), {.set = {"probes.loss.texts=7"}})),
            to_json(plan_of(folder, edited)));
  EXPECT_EQ(
      testing_support::refusal_of(folder, small_experiment(), {.set = {"probes.loss.texts=0"}}),
      "--set probes.loss.texts=0: error: probes.loss: texts = 0 is outside [1, 1000] (texts that "
      "are scored)");
  EXPECT_EQ(
      testing_support::refusal_of(folder, small_experiment(), {.set = {"probes.los.texts=3"}}),
      "--set probes.los.texts=3: error: probes.los: no probe is named 'los'; did you mean "
      "'loss'? there are: loss, words");
}

/// An experiment on text, with `paths` for training and `held_out` for measuring.
Json text_experiment(const Json& paths, const Json& held_out) {
  Json experiment = small_experiment();
  experiment["corpus"] = {{"kind", "text"},
                          {"documents", "lines"},
                          {"paths", paths},
                          {"held_out", {{"paths", held_out}}}};
  experiment["train"]["budget"] = {{"steps", 2}};
  return experiment;
}

std::string lines_of(const std::string& word) {
  std::string lines;
  for (int i = 0; i < 40; ++i) lines += fmt::format("{} number {} of many more\n", word, i);
  return lines;
}

TEST(Set, ResolvesPathsAgainstTheCurrentFolderAndTheFileAgainstItsOwn) {
  const testing_support::PlanFolder folder;
  folder.write("train.txt", lines_of("one"));
  folder.write("held.txt", lines_of("two"));
  const auto from_here = std::filesystem::relative(folder.path() / "train.txt");
  const Plan flagged = plan_of(folder, text_experiment(Json::array(), {"held.txt"}),
                               {.set = {"corpus.paths=[\"" + from_here.string() + "\"]"}});
  const Plan edited = plan_of(folder, text_experiment({"train.txt"}, {"held.txt"}));
  EXPECT_EQ(flagged.trials[0].id, edited.trials[0].id);
}

TEST(Set, GivesPathsThatTheFileLeavesOpen) {
  const testing_support::PlanFolder folder;
  const std::string refused =
      testing_support::refusal_of(folder, text_experiment(Json::array(), Json::array()));
  EXPECT_NE(
      refused.find("error: corpus.paths and corpus.held_out.paths name no file; give yours: "
                   "--set corpus.paths='[\"FILE\"]' --set corpus.held_out.paths='[\"FILE\"]'"),
      std::string::npos)
      << refused;
}

TEST(Only, MatchesPatterns) {
  EXPECT_TRUE(matches("mlm*", "mlm[rate=0.15]"));
  EXPECT_TRUE(matches("*", ""));
  EXPECT_TRUE(matches("m?m[rate=*]", "mlm[rate=0.15]"));
  EXPECT_TRUE(matches("a*b*c", "a123b456b7c"));
  EXPECT_FALSE(matches("mlm", "mlm[rate=0.15]"));
  EXPECT_FALSE(matches("mlm[0-9]", "mlm1"));  // brackets are letters
  EXPECT_FALSE(matches("?", ""));
  const std::string hostile(200, '*');
  EXPECT_FALSE(matches(hostile + "b", std::string(5000, 'a')));
}

TEST(Only, StandsForAllArmsOfAnEntryWithoutBrackets) {
  EXPECT_TRUE(names_arm("mlm", "mlm[rate=0.15]"));
  EXPECT_TRUE(names_arm("mlm", "mlm"));
  EXPECT_FALSE(names_arm("mlm", "mlm2[rate=0.15]"));
  EXPECT_FALSE(names_arm("mlm[rate=0.3]", "mlm[rate=0.15]"));
}

TEST(Only, IsRefusedIfItSelectsNothing) {
  const testing_support::PlanFolder folder;
  EXPECT_EQ(testing_support::refusal_of(folder, small_experiment(), {.only = {"arm=hid"}}),
            "--only arm=hid: error: no trial is selected; arms: plain, hide[rate=0.15], "
            "hide[rate=0.3]; seeds: [1,2,3,4,5,6]");
  EXPECT_EQ(testing_support::refusal_of(folder, small_experiment(), {.only = {"seed=3..1"}}),
            "--only seed=3..1: error: 'seed=3..1' selects nothing; accepted: arm=NAME (with * and "
            "?), seed=N, seed=FROM..TO, separated by commas");
}

TEST(AddedArm, IsAsIfItStoodInTheFile) {
  const testing_support::PlanFolder folder;
  Json edited = small_experiment();
  edited["arms"].push_back(
      {{"name", "most"}, {"set", {{"objective", {{"type", "hide"}, {"rate", 0.8}}}}}});
  edited["arms"].push_back(
      {{"name", "short"}, {"set", {{"objective", {{"type", "plain"}}}, {"model.context", 8}}}});
  EXPECT_EQ(to_json(plan_of(folder, small_experiment(),
                            {.arms = {"most:objective.type=hide,objective.rate=0.8",
                                      R"(short:objective={"type":"plain"},model.context=8)"}})),
            to_json(plan_of(folder, edited)));
}

TEST(AddedArm, IsRefusedAtItsFlag) {
  const testing_support::PlanFolder folder;
  const auto refused = [&](const std::string& arm) {
    return testing_support::refusal_of(folder, small_experiment(), {.arms = {arm}});
  };
  EXPECT_EQ(refused("most"),
            "--arm most: error: names no settings: an arm is added as NAME:path=value,path=value; "
            "for example --arm masked:objective.type=masked_lm,objective.rate=0.3; --only "
            "'arm=NAME' selects arms of the file");
  EXPECT_THAT(
      refused("Most:objective.type=plain"),
      HasSubstr("--arm Most:objective.type=plain: error: \"Most\" is not a name of an arm"));
  EXPECT_THAT(refused("most:objective.type=hid"),
              HasSubstr("--arm most:objective.type=hid: error: objective: no objective is named"));
  EXPECT_THAT(refused("most:corpus.seed=3"),
              HasSubstr("--arm most:corpus.seed=3: error: an arm cannot set corpus.seed"));
  EXPECT_THAT(refused("most:objective.type=hide,rate"),
              HasSubstr("rate: error: is not of the form path=value"));
  EXPECT_THAT(refused("most:objective.type=hide,objective.rate=0.1,objective.rate=0.2"),
              HasSubstr("error: gives objective.rate twice"));
  EXPECT_THAT(refused("plain:objective.type=hide,objective.rate=0.8"),
              HasSubstr("error: two arms are named 'plain'"));
}

TEST(AddedArm, CanBePreviewed) {
  const testing_support::PlanFolder folder;
  const auto file = folder.write("experiment.json", small_experiment().dump());
  const Preview made =
      preview(testing_support::small_catalog(),
              {.file = file, .arm = "most:objective.type=hide,objective.rate=0.8"});
  EXPECT_EQ(made.arm, "most");
  EXPECT_EQ(made.intended.at(0).value, 0.8);
}

}  // namespace
}  // namespace ablate::plan

// An experiment file is refused once: the faults of all its parts are named together.

#include "harness/plan/read/experiment.h"

#include <gmock/gmock.h>

#include "tests/harness/plan/small_catalog.h"

namespace ablate::plan {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing_support::plan_of;
using testing_support::refusal_of;
using testing_support::small_catalog;
using testing_support::small_experiment;

/// What a user writes first: a corpus and two arms.
constexpr const char* kFirstDraft = R"({
  "name": "draft",
  "corpus": {"kind": "text", "paths": ["absent.txt"]},
  "arms": [
    {"name": "plain", "set": {"objective": {"type": "plain"}}},
    {"name": "hide", "set": {"objective": {"type": "hide"}}}
  ]
})";

TEST(FirstDraft, IsRefusedWithAllItsFaultsAtOnce) {
  const testing_support::PlanFolder folder;
  const std::string refusal = refusal_of(folder, std::string(kFirstDraft));
  EXPECT_THAT(refusal, AllOf(HasSubstr("the experiment has no budget"),
                             HasSubstr("an experiment with several arms needs a \"baseline\""),
                             HasSubstr("\"analysis\" names no primary metric"),
                             HasSubstr("absent.txt' does not exist")));
  EXPECT_FALSE(std::filesystem::exists(folder / "cache")) << "a refusal writes nothing";
}

TEST(FirstDraft, NeedsABaselineAndAPrimaryMetricAlsoWhereItsArmsAreRefused) {
  const testing_support::PlanFolder folder;
  Json experiment = small_experiment();
  experiment.erase("baseline");
  experiment["analysis"].erase("primary");
  const auto asks_for_both =
      AllOf(HasSubstr("an experiment with several arms needs a \"baseline\""),
            HasSubstr("\"analysis\" names no primary metric"));
  experiment["arms"] = {{{"name", "a"}, {"set", {{"objective", {{"type", "plain"}}}}}},
                        {{"name", "b"}, {"set", {{"objective", {{"type", "plane"}}}}}}};
  EXPECT_THAT(refusal_of(folder, experiment), asks_for_both) << "one of two is refused";
  experiment["arms"][0]["set"]["objective"]["type"] = "plane";
  EXPECT_THAT(refusal_of(folder, experiment), asks_for_both) << "both are refused";
  experiment["arms"].erase(0);
  EXPECT_THAT(refusal_of(folder, experiment), Not(HasSubstr("baseline"))) << "the only one is";
}

TEST(Budget, ThatIsAbsentIsAFaultOfTrainOrElseOfTheFile) {
  const testing_support::PlanFolder folder;
  Json experiment = small_experiment();
  experiment["train"].erase("budget");
  const std::string without = refusal_of(folder, experiment);
  EXPECT_THAT(without, HasSubstr("error: the experiment has no budget"));
  EXPECT_THAT(without, Not(HasSubstr("\nexperiment.json"))) << "one fault, not one for each arm";
  EXPECT_THAT(without, HasSubstr("|   \"train\": {\n"));
  experiment.erase("train");
  EXPECT_THAT(refusal_of(folder, experiment),
              testing::StartsWith("experiment.json:1:1: error: the experiment has no budget"));
}

TEST(Budget, OfSomeArmsNamesThoseWithoutOne) {
  const testing_support::PlanFolder folder;
  Json experiment = small_experiment();
  experiment["train"].erase("budget");
  experiment["arms"][0]["set"]["train.budget"] = {{"steps", 3}};
  EXPECT_THAT(refusal_of(folder, experiment),
              HasSubstr("error: no budget for hide[rate=0.15], hide[rate=0.3]\n"));
}

TEST(ReadExperiment, LeavesOutWhatIsRefusedAndReadsTheRest) {
  const testing_support::PlanFolder folder;
  Json experiment = small_experiment();
  experiment["name"] = "No Name";
  experiment["arms"][0]["set"]["objective"]["type"] = "plane";
  experiment["probes"] = {"loss", "lost"};
  Faults faults;
  const Experiment read = read_experiment(
      small_catalog(), folder.write("experiment.json", experiment.dump(2)), {}, faults);
  EXPECT_EQ(faults.count(), 3u);
  EXPECT_FALSE(read.complete);
  EXPECT_EQ(read.arms.size(), 2u);
  EXPECT_EQ(read.probes.size(), 1u);
  EXPECT_EQ(read.analysis.primary, "loss.excess") << "a fault elsewhere does not hide it";
}

TEST(ReadExperiment, RefusesLimitsThatAreNoneAndNothingElseForThem) {
  const testing_support::PlanFolder folder;
  Json experiment = small_experiment();
  experiment["limits"] = {{"trials", "many"}};
  EXPECT_THAT(refusal_of(folder, experiment), HasSubstr("limits: trials = \"many\""));
  experiment["limits"] = 3;
  EXPECT_THAT(refusal_of(folder, experiment),
              AllOf(HasSubstr("limits: expected an object, got 3"), Not(HasSubstr("sweep less"))));
}

TEST(ReadExperiment, DrawsNoConclusionsFromWhatIsLeftOut) {
  const testing_support::PlanFolder folder;
  Json experiment = small_experiment();
  experiment["probes"] = {"lost"};
  EXPECT_THAT(refusal_of(folder, experiment),
              AllOf(HasSubstr("no probe is named 'lost'"), Not(HasSubstr("yields the metric"))));
  experiment = small_experiment();
  experiment["arms"][1]["set"]["objective"]["type"] = "hied";
  EXPECT_THAT(refusal_of(folder, experiment),
              AllOf(HasSubstr("no objective is named 'hied'"), Not(HasSubstr("no arm is named"))));
}

TEST(Hosting, IsRefusedForAllArmsAtOnce) {
  const testing_support::PlanFolder folder;
  Json experiment = small_experiment();
  experiment["arms"][1] = {
      {"name", "causal"}, {"set", {{"objective", {{"type", "hide"}}}, {"model.backbone", "pipe"}}}};
  experiment["arms"][2] = {{"name", "crowded"},
                           {"set", {{"objective", {{"type", "hide"}, {"sentinels", 20}}}}}};
  experiment["baseline"] = "plain";
  EXPECT_THAT(refusal_of(folder, experiment),
              AllOf(HasSubstr("arm 'causal': backbone 'pipe' cannot host objective 'hide'"),
                    HasSubstr("arm 'crowded': sentinels = 20 is more than the text has tokens")));
}

TEST(Defaults, CanDecideAComparisonOfTwoArms) {
  const testing_support::PlanFolder folder;
  Json experiment = small_experiment();
  experiment.erase("seeds");
  experiment.erase("match");
  experiment["analysis"]["primary"] = "loss.at_15";  // of the two arms that hide
  const Plan plan = plan_of(folder, experiment);
  EXPECT_EQ(plan.resolved["seeds"], Json({1, 2, 3, 4, 5, 6}));
  EXPECT_THAT(plan.power, HasSubstr("can reach significance"));
  ASSERT_EQ(plan.match.size(), 2u);
  EXPECT_EQ(plan.match[0].on, "parameters");
  EXPECT_EQ(plan.match[1].on, "tokens");
}

TEST(Defaults, RefuseArmsThatDifferAndSayHowToCompareThemAllTheSame) {
  const testing_support::PlanFolder folder;
  Json experiment = small_experiment();
  experiment.erase("match");
  experiment["arms"][0]["set"]["model.width"] = 16;
  EXPECT_THAT(
      refusal_of(folder, experiment),
      AllOf(
          HasSubstr("experiment.json:1:1: error: arms differ in parameters by 50 %; "
                    "match.tolerance is 2 %"),
          HasSubstr("or {\"on\": []} for nothing: without \"match\" it is parameters and tokens")));
  experiment["match"] = {{"on", Json::array()}};
  EXPECT_THAT(plan_of(folder, experiment).match, IsEmpty());
}

TEST(ReadExperiment, IsNotCompleteWithoutArms) {
  const testing_support::PlanFolder folder;
  Overrides overrides;
  overrides.set = {"train.phases=3", "corpus.held_out.share=none"};
  Faults faults;
  const Experiment read =
      read_experiment(small_catalog(), folder.write("experiment.json", small_experiment().dump(2)),
                      overrides, faults);
  EXPECT_TRUE(read.arms.empty()) << "all of them train so";
  EXPECT_FALSE(read.complete);
}

TEST(ReadExperiment, IsNotCompleteWithMoreFaultsThanAreCounted) {
  const testing_support::PlanFolder folder;
  Json experiment = small_experiment();
  experiment["match"] = {{"on", Json(std::vector<std::string>(10'000, "nothing"))}};
  Faults faults;
  const Experiment read = read_experiment(
      small_catalog(), folder.write("experiment.json", experiment.dump(2)), {}, faults);
  EXPECT_TRUE(read.arms.empty()) << "no more was read";
  EXPECT_FALSE(read.complete);
}

TEST(Defaults, AreNoPartOfTheIdsOfTrials) {
  const testing_support::PlanFolder folder;
  Json experiment = small_experiment();
  const Plan given = plan_of(folder, experiment);
  experiment.erase("seeds");
  experiment.erase("match");
  const Plan by_default = plan_of(folder, experiment);
  ASSERT_EQ(given.trials.size(), by_default.trials.size());
  for (std::size_t i = 0; i < given.trials.size(); ++i)
    EXPECT_EQ(given.trials[i].id, by_default.trials[i].id);
}

}  // namespace
}  // namespace ablate::plan

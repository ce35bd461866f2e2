// A worker computes the versions of a trial as the planner did, and refuses other ones.

#include "harness/plan/resolve/versions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "objectives/registry.h"
#include "tests/harness/plan/small_catalog.h"

namespace ablate::plan {
namespace {

using testing::HasSubstr;
using testing_support::plan_of;
using testing_support::small_catalog;
using testing_support::small_experiment;

/// The message with which a trial is refused; empty where it is accepted.
std::string refusal(const Trial& trial, const Catalog& catalog = small_catalog()) {
  try {
    check_versions(trial, catalog);
    return "";
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
}

/// The small experiment, of which an arm has phases.
Plan planned(const testing_support::PlanFolder& folder) {
  Json experiment = small_experiment();
  experiment["arms"][0]["set"]["train.phases"] = Json::parse(R"([
      {"name": "general", "budget": {"share": 0.75}},
      {"name": "domain", "budget": {"share": 0.25}, "objective": {"type": "plain"}}])");
  return plan_of(folder, experiment);
}

TEST(Versions, OfEveryPlannedTrialAreThoseOfItsCatalogue) {
  const testing_support::PlanFolder folder;
  for (const Trial& trial : planned(folder).trials) {
    EXPECT_EQ(refusal(trial), "") << trial.arm;
    EXPECT_EQ(refusal(Json(trial).get<Trial>()), "") << "as a worker reads it";
  }
}

TEST(Versions, ThatDifferAreNamed) {
  const testing_support::PlanFolder folder;
  const Plan plan = planned(folder);
  const auto refusal_with = [&](std::size_t index, const char* key, const Json& version) {
    Trial trial = plan.trials[index];
    trial.config["semantics"][key] = version;
    return refusal(trial);
  };
  const std::size_t last = plan.trials.size() - 1;  // of an arm without phases
  EXPECT_EQ(refusal_with(last, "objective", 3),
            "trial " + plan.trials[last].id +
                ": the version of objective hide: planned 3, this worker has 1; build both "
                "programs from the same source");
  EXPECT_THAT(refusal_with(last, "backbone", 0),
              HasSubstr("the version of backbone box: planned 0, this worker has 1"));
  EXPECT_THAT(refusal_with(last, "train", 1),
              HasSubstr("the version of train: planned 1, this worker has 2"));
  EXPECT_THAT(refusal_with(last, "attention", 2),
              HasSubstr("the version of attention: planned 2, this worker has none"));
  EXPECT_THAT(refusal_with(0, "phase_objectives", {1, 4}),
              HasSubstr("the version of phase_objectives 1: planned 4, this worker has 1"));
}

TEST(Versions, OfAProbeAreInTheIdsOfItsMeasurements) {
  const testing_support::PlanFolder folder;
  const Trial trial = plan_of(folder, small_experiment()).trials[0];
  std::vector<ProbeSpec> newer(small_catalog().probes.begin(), small_catalog().probes.end());
  newer[0].version = 2;
  Catalog catalog = small_catalog();
  catalog.probes = newer;
  EXPECT_EQ(refusal(trial, catalog),
            "trial " + trial.id +
                ": the version of probe loss: planned another, this worker has 2; build both "
                "programs from the same source");
}

TEST(Versions, OfATrialThatThisCatalogueCannotTrainAreRefused) {
  const testing_support::PlanFolder folder;
  Trial trial = plan_of(folder, small_experiment()).trials[0];
  trial.config["objective"]["type"] = "plane";
  EXPECT_THAT(refusal(trial), HasSubstr("plain"));
  trial.config["objective"] = 7;
  EXPECT_THAT(refusal(trial), HasSubstr("build both programs from the same source"));
  trial.config = Json::object();
  EXPECT_THAT(refusal(trial), HasSubstr("build both programs from the same source"));
}

TEST(Versions, OfAnObjectiveThatIsMadeOfOthersHaveTheirsWhereTheyWereRaised) {
  static ObjectiveSpec first{.name = "first"}, second{.name = "second"};
  ObjectiveSpec joined{.name = "joined"};
  joined.members = [](const Params&) { return std::vector<const ObjectiveSpec*>{&first, &second}; };
  EXPECT_EQ(version_of(first, {{"type", "first"}}), 1);
  EXPECT_EQ(version_of(joined, {{"type", "joined"}}), 1);
  second.version = 3;
  EXPECT_EQ(version_of(joined, {{"type", "joined"}}), (Json{{"joined", 1}, {"second", 3}}));
  EXPECT_EQ(version_of(second, {{"type", "second"}}), 3);
}

TEST(Versions, OfTheMembersOfAMixtureAreReached) {
  const auto names = [](const char* name, const Json& given) {
    const ObjectiveSpec& spec = *std::ranges::find(objectives::objective_specs(),
                                                   std::string_view(name), &ObjectiveSpec::name);
    std::vector<std::string_view> all;
    for (const ObjectiveSpec* member : spec.members(Params(spec.params, given)))
      all.push_back(member->name);
    return all;
  };
  using testing::ElementsAre;
  EXPECT_THAT(names("mixture_of_denoisers", Json::object()),
              ElementsAre("span_corruption", "prefix_lm"));
  EXPECT_THAT(names("mixture",
                    {{"members", {{{"type", "causal_lm"}}, {{"type", "mixture_of_denoisers"}}}}}),
              ElementsAre("causal_lm", "mixture_of_denoisers", "span_corruption", "prefix_lm"));
}

TEST(Versions, OfACatalogueAreThoseOfEverythingInIt) {
  const Json versions = versions_of(small_catalog());
  EXPECT_EQ(versions.at("objective"), (Json{{"hide", 1}, {"plain", 1}}));
  EXPECT_EQ(versions.at("backbone"), (Json{{"box", 1}, {"pipe", 1}}));
  EXPECT_EQ(versions.at("probe"), (Json{{"loss", 1}, {"words", 1}}));
  EXPECT_TRUE(versions.at("train").is_number_integer());
}

TEST(Versions, DifferInWhatOneTableLacks) {
  const Json one = {{"objective", {{"a", 1}, {"b", 2}}}};
  EXPECT_EQ(version_difference(one, one), "");
  EXPECT_EQ(version_difference(one, {{"objective", {{"a", 1}}}}),
            "the version of objective b: planned 2, this worker has none");
  for (const Json& nonsense : {Json(), Json(7), Json("x"), Json::array(), Json::object()}) {
    EXPECT_THAT(version_difference(one, nonsense), HasSubstr("the version of ")) << nonsense;
    EXPECT_THAT(version_difference(nonsense, one), HasSubstr("the version of ")) << nonsense;
  }
}

}  // namespace
}  // namespace ablate::plan

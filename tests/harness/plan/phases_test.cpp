// Planning of phases: settings that a phase does not give are those of its arm, and phases that
// cannot be trained are refused.

#include "harness/plan/trial/phase.h"
#include "harness/plan/trial/plan_json.h"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "harness/data/corpus/corpus.h"
#include "tests/harness/plan/small_catalog.h"

namespace ablate::plan {
namespace {

using testing::HasSubstr;
using testing_support::plan_of;
using testing_support::refusal_of;
using testing_support::small_experiment;

/// The small experiment with one arm, "plain", that has these phases.
Json with_phases(const Json& phases) {
  Json experiment = small_experiment();
  experiment["arms"] = {
      {{"name", "plain"}, {"set", {{"objective", {{"type", "plain"}}}, {"train.phases", phases}}}}};
  experiment["baseline"] = "plain";
  experiment["seeds"] = {1};
  return experiment;
}

Json two_phases() {
  return Json::parse(R"([
    {"name": "general", "budget": {"share": 0.75}},
    {"name": "domain", "budget": {"share": 0.25}, "objective": {"type": "hide"},
     "learning_rate": 0.001, "corpus": {"seed": 2}}
  ])");
}

TEST(Phases, AreAbsentFromAPlanWithoutPhases) {
  const testing_support::PlanFolder folder;
  const Plan plan = plan_of(folder, small_experiment());
  EXPECT_EQ(to_json(plan).dump().find("phases"), std::string::npos);
}

TEST(TrialId, OfABudgetInTokensAloneChangedWithWhatItCounts) {
  const testing_support::PlanFolder folder;
  Json experiment = small_experiment();
  EXPECT_EQ(plan_of(folder, experiment).trials[0].id, "232e8652f152eeaf");
  experiment["train"]["budget"] = {{"steps", 25}};  // the ids that these trials always had
  EXPECT_EQ(plan_of(folder, experiment).trials[0].id, "611849fc9b2e5ac0");
  experiment["train"]["budget"] = {{"targets", 900}};
  EXPECT_EQ(plan_of(folder, experiment).trials[0].id, "f276d1056301bd3e");
}

TEST(TrialId, KnowsTheVersionOfABudgetInTokensOfAnyPhase) {
  const testing_support::PlanFolder folder;
  const auto versions = [&](const Json& phases) {
    return plan_of(folder, with_phases(phases)).trials[0].config.at("semantics");
  };
  Json phases = two_phases();  // shares of a budget in tokens
  EXPECT_EQ(versions(phases).value("token_budget", 0), 2);
  phases[0]["budget"] = {{"steps", 3}};
  EXPECT_EQ(versions(phases).value("token_budget", 0), 2);
  phases[1]["budget"] = {{"positions", 640}};
  EXPECT_FALSE(versions(phases).contains("token_budget"));
}

TEST(Phases, HaveTheirOwnSettingsAndOtherwiseThoseOfTheArm) {
  const testing_support::PlanFolder folder;
  const Trial trial = plan_of(folder, with_phases(two_phases())).trials[0];
  const std::vector<Phase> phases = phases_of(trial);
  ASSERT_EQ(phases.size(), 2u);
  EXPECT_EQ(phases[0].name, "general");
  EXPECT_EQ(phases[0].objective["type"], "plain");
  EXPECT_EQ(phases[1].objective["type"], "hide");
  EXPECT_EQ(phases[0].train["learning_rate"], 3e-3);
  EXPECT_EQ(phases[1].train["learning_rate"], 1e-3);
  EXPECT_EQ(phases[0].train["budget"], Json({{"tokens", 1200.0}}));
  EXPECT_EQ(phases[1].train["budget"], Json({{"tokens", 400.0}}));
  EXPECT_EQ(phases[0].context, 16);
  EXPECT_EQ(phases[0].steps, 19);  // of 64 tokens
  EXPECT_EQ(phases[1].steps, 7);
  EXPECT_EQ(trial.steps, 26);
  const Json& main = trial.config.at("corpus")["hash"];
  EXPECT_EQ(phases[0].members[0].corpus["hash"], main);
  EXPECT_NE(phases[1].members[0].corpus["hash"], main);
  EXPECT_EQ(phases[1].members[0].corpus["seed"], 2);
  EXPECT_EQ(phases[1].members[0].corpus["vocabulary"], 8);  // of the experiment's section
}

TEST(Phases, ThatSpendLessThanTheBudgetAreWarnedOf) {
  const testing_support::PlanFolder folder;
  Json phases = two_phases();
  const auto warned = testing::Contains(HasSubstr("the phases spend less than train.budget in "));
  EXPECT_THAT(plan_of(folder, with_phases(phases)).warnings, testing::Not(warned));
  phases[1]["budget"] = {{"share", 0.15}};
  EXPECT_THAT(plan_of(folder, with_phases(phases)).warnings,
              testing::Contains(HasSubstr("'plain' (90 %): give them shares that sum to 1")));
  phases[1]["budget"] = {{"steps", 1}};
  EXPECT_THAT(plan_of(folder, with_phases(phases)).warnings, testing::Not(warned));
}

TEST(Phases, CostTheSumOfTheirCosts) {
  const testing_support::PlanFolder folder;
  const Plan plan = plan_of(folder, with_phases(two_phases()));
  const Json& row = plan.ledger[0];
  ASSERT_EQ(row["phases"].size(), 2u);
  for (const char* key : {"steps", "text_tokens", "targets", "flops"})
    EXPECT_NEAR(row[key].get<double>(),
                row["phases"][0][key].get<double>() + row["phases"][1][key].get<double>(), 1.01)
        << key;
  EXPECT_EQ(row["phases"][0]["corpora"], "100 % main");
}

TEST(Phases, OfOneCostWhatATrialWithoutPhasesCosts) {
  const testing_support::PlanFolder folder;
  Json one = with_phases({{{"name", "all"}, {"budget", {{"share", 1}}}}});
  Json none = one;
  none["arms"][0]["set"].erase("train.phases");
  Json a = plan_of(folder, one).ledger[0];
  a.erase("phases");
  EXPECT_EQ(a, plan_of(folder, none).ledger[0]);
}

TEST(Phases, MakeTheSameTrialHoweverTheyAreWritten) {
  const testing_support::PlanFolder folder;
  const std::string id = plan_of(folder, with_phases(two_phases())).trials[0].id;
  Json same = two_phases();
  same[0]["budget"] = {{"tokens", 1200}};
  same[0]["context"] = 16;
  same[0]["corpus"] = "main";
  same[0]["learning_rate"] = 3e-3;
  same[0]["mixture"] = {{{"corpus", "main"}, {"share", 1}}};
  same[0].erase("corpus");
  same[1]["budget"] = {{"tokens", 400}};
  EXPECT_EQ(plan_of(folder, with_phases(same)).trials[0].id, id);

  std::set<std::string> ids = {id};
  const std::vector<std::pair<const char*, Json>> changes = {
      {"/0/name", "first"},        {"/0/budget/share", 0.5},    {"/1/learning_rate", 0.002},
      {"/1/schedule", "constant"}, {"/1/context", 8},           {"/1/objective/rate", 0.3},
      {"/1/corpus/seed", 3},       {"/0/corpus", {{"seed", 4}}}};
  for (const auto& [pointer, value] : changes) {
    Json changed = two_phases();
    changed[Json::json_pointer(pointer)] = value;
    EXPECT_TRUE(ids.insert(plan_of(folder, with_phases(changed)).trials[0].id).second) << pointer;
  }
}

TEST(Phases, DrawFromTheCorporaOfThePreviousPhase) {
  const testing_support::PlanFolder folder;
  Json phases = two_phases();
  phases[1].erase("corpus");
  phases[1]["mixture"] = Json::parse(R"([{"corpus": {"seed": 2}, "share": 0.8},
                                         {"corpus": "former", "share": 0.2}])");
  phases.push_back(Json::parse(R"({"name": "last", "budget": {"steps": 3}, "mixture": [
      {"corpus": "main", "share": 0.5}, {"corpus": "former", "share": 0.5}]})"));
  const Trial trial = plan_of(folder, with_phases(phases)).trials[0];
  const std::vector<Phase> phases_read = phases_of(trial);
  const std::vector<PhaseMember>& second = phases_read[1].members;
  const std::vector<PhaseMember>& third = phases_read[2].members;
  const Json& main = trial.config.at("corpus")["hash"];
  ASSERT_EQ(second.size(), 2u);
  EXPECT_EQ(second[1].corpus["hash"], main);
  EXPECT_EQ(second[1].fraction, 0.2);
  ASSERT_EQ(third.size(), 2u);  // the main corpus once: by itself and by the previous phase
  EXPECT_EQ(third[0].corpus["hash"], main);
  EXPECT_DOUBLE_EQ(third[0].fraction, 0.6);
  EXPECT_EQ(third[1].corpus["hash"], second[0].corpus["hash"]);
  EXPECT_DOUBLE_EQ(third[1].fraction, 0.4);
}

TEST(Phases, HaveTheMaximumOfRowsAndSentinelsThatOneNeeds) {
  const testing_support::PlanFolder folder;
  Json phases = two_phases();
  phases[0]["context"] = 8;
  phases[1]["objective"]["sentinels"] = 3;
  const Plan plan = plan_of(folder, with_phases(phases));
  EXPECT_EQ(plan.vocabulary.sentinels, 3);
  const Trial& trial = plan.trials[0];
  EXPECT_EQ(trial.phases[0].shape.time, 8);
  EXPECT_EQ(trial.phases[1].shape.time, 16);
  EXPECT_EQ(trial.shape.time, 16);
  EXPECT_EQ(trial.phases[0].steps, 38);  // of 32 tokens
}

TEST(Phases, ShareABankWhereTheirStepsAndRowsAgree) {
  const testing_support::PlanFolder folder;
  Json experiment = with_phases(two_phases());
  experiment["seeds"] = 2;
  Json other = experiment["arms"][0];
  other["name"] = "other";
  other["set"]["train.phases"][1]["learning_rate"] = 0.002;
  Json apart = other;
  apart["name"] = "apart";
  apart["set"]["train.phases"][0]["budget"] = {{"share", 0.5}};
  apart["set"]["train.phases"][1]["budget"] = {{"share", 0.5}};
  experiment["arms"].push_back(other);
  experiment["arms"].push_back(apart);
  const Plan plan = plan_of(folder, experiment);
  ASSERT_EQ(plan.banks.size(), 2u);
  EXPECT_EQ(plan.banks[0].size(), 4u);
  EXPECT_EQ(plan.banks[1].size(), 2u);
}

TEST(Phases, AreRefusedWithPlaceAndRemedy) {
  const testing_support::PlanFolder folder;
  const std::vector<std::tuple<const char*, Json, const char*>> faults = {
      {"/0/name", "General", "a name is 1 to 32 small letters"},
      {"/1/name", "general", "two phases are named 'general'"},
      {"/1/name", "a_after_b", "without \"_after_\""},
      {"/0/budget", {{"tokens", 10}, {"steps", 2}}, "exactly one of"},
      {"/0/budget/share", 0.9, "sum to 1.15"},
      {"/0/budget", {{"seconds", 10}}, "no parameter is named 'seconds'"},
      {"/0/corpus", "former", "the first phase has no previous phase"},
      {"/0/corpus", "mian", "accepted: \"main\""},
      {"/0/context", 32, "raise model.context"},
      {"/0/mixture", {{{"corpus", "main"}, {"share", 0.4}}}, "sum to 0.4"},
      {"/1/mixture", {{{"corpus", "main"}, {"share", 1}}}, "not both"},
      {"/1/corpus/vocabulary", 9, "set \"vocabulary\" to 8"},
      {"/1/corpus/topics", 0, "topics = 0 is outside"},
      {"/1/corpus/tokenizer", {{"kind", "bytes"}}, "leave the tokenizer out"},
      {"/1/objective/type", "hidden", "no objective is named 'hidden'"},
      {"/1/warm", 0.1, "no parameter is named 'warm'"},
  };
  for (const auto& [pointer, value, words] : faults) {
    Json phases = two_phases();
    phases[Json::json_pointer(pointer)] = value;
    const std::string refused = testing_support::refusal_of(folder, with_phases(phases));
    EXPECT_THAT(refused, HasSubstr(words)) << pointer;
    EXPECT_THAT(refused, HasSubstr("experiment.json:")) << pointer;
  }
}

TEST(Phases, AreRefusedWhereTheBackboneCannotHostOne) {
  const testing_support::PlanFolder folder;
  Json experiment = with_phases(two_phases());
  experiment["model"]["backbone"] = "pipe";  // causal
  EXPECT_THAT(testing_support::refusal_of(folder, experiment),
              HasSubstr("phase 'domain': backbone 'pipe'"));
}

TEST(Phases, WithRoundFractionsHaveRoundSteps) {
  const testing_support::PlanFolder folder;
  Json experiment = with_phases(two_phases());
  experiment["train"]["budget"] = {{"steps", 100}};
  auto& phases = experiment["arms"][0]["set"]["train.phases"];
  phases[0]["budget"] = {{"share", 0.07}};  // times 100 is a little more than 7
  phases[1]["budget"] = {{"share", 0.55}};
  const Trial trial = plan_of(folder, experiment).trials[0];
  EXPECT_EQ(trial.phases[0].steps, 7);
  EXPECT_EQ(trial.phases[1].steps, 55);
}

TEST(Phases, DrawFromEachCorpusOfManyPreviousPhasesOnce) {
  const testing_support::PlanFolder folder;
  Json phases = two_phases();
  phases.erase(1);
  for (int i = 0; i < 12; ++i) {
    Json mixture = Json::array();
    for (int j = 0; j < 16; ++j) mixture.push_back({{"corpus", "former"}, {"share", 0.0625}});
    phases.push_back({{"name", fmt::format("p{}", i)},
                      {"budget", {{"steps", 1}}},
                      {"mixture", std::move(mixture)}});
  }
  EXPECT_EQ(phases_of(plan_of(folder, with_phases(phases)).trials[0]).back().members.size(), 1u);
}

TEST(Phases, HaveStepsThatDoNotDependOnOtherArms) {
  const testing_support::PlanFolder folder;
  Json experiment = with_phases(two_phases());
  experiment["train"]["budget"] = {{"targets", 900}};
  experiment.erase("match");
  const Trial alone = plan_of(folder, experiment).trials[0];
  for (int i = 0; i < 40; ++i) {
    Json other = experiment["arms"][0];
    other["name"] = fmt::format("other{}", i);
    other["set"]["train.learning_rate"] = 1e-3 * (i + 1) + 1e-5;
    experiment["arms"].push_back(other);
  }
  const Trial among = plan_of(folder, experiment).trials[0];
  EXPECT_EQ(among.id, alone.id);
  EXPECT_EQ(among.phases[0].steps, alone.phases[0].steps);
  EXPECT_EQ(among.phases[1].steps, alone.phases[1].steps);
}

TEST(Phases, NeedATotalBudgetIfTheyHaveShares) {
  const testing_support::PlanFolder folder;
  Json experiment = with_phases(two_phases());
  experiment["train"].erase("budget");
  EXPECT_THAT(testing_support::refusal_of(folder, experiment),
              HasSubstr("a share is a fraction of train.budget"));
  for (Json& phase : experiment["arms"][0]["set"]["train.phases"]) phase["budget"] = {{"steps", 3}};
  EXPECT_EQ(testing_support::refusal_of(folder, experiment), "");
}

TEST(SeedOfPhase, IsThatOfTheTrialInTheFirstPhaseAndDifferentInAllOthers) {
  std::set<std::uint64_t> seeds;
  for (const std::int64_t seed : {1, 2})
    for (const std::size_t phase : {0, 1, 2})
      EXPECT_TRUE(seeds.insert(seed_of_phase(seed, phase)).second);
  EXPECT_EQ(seed_of_phase(5, 0), 5u);
}

}  // namespace
}  // namespace ablate::plan

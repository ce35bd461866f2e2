// The typed plan of a results folder.

#include "harness/store/plan/stored_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/error.h"

namespace ablate::store {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Json complete_plan() {
  return Json::parse(R"({
    "experiment": "small", "question": "Which?", "power": "few seeds", "sha256": "55bf",
    "arms": [
      {"name": "clm", "baseline": true, "objective": "causal_lm", "label": "Causal",
       "config": {"objective": {"type": "causal_lm"}}},
      {"name": "mlm", "baseline": false, "config": {"objective": {"type": "masked_lm"}}},
      {"name": "mlm[learning_rate=0.01]", "of": "mlm"}],
    "trials": [
      {"id": "t0", "arm": "clm", "seed": 7, "steps": 20, "config": {"seed": 7}, "probes": [
        {"id": "m0", "type": "held_out", "texts": 9, "at": [{"step": 10, "id": "m1"}]},
        {"id": "m2", "type": "classification", "name": "intents"}]}],
    "metrics": {"clm": [{"name": "a.b", "unit": "nats", "better": "lower",
      "comparable_across": "all arms", "meaning": "what it means", "caveat": "beware"}]},
    "analysis": {"primary": "a.b", "alpha": 0.1, "correction": "none", "smallest_effect": 0.02},
    "ledger": [{"arm": "clm", "flops": 1e9}],
    "match": [{"on": "tokens", "low": 1, "high": 2, "spread": 0.5, "tolerance": 0.6}],
    "corpora": [{"name": "main", "hash": "c0", "training": {"tokens": 90},
      "held_out": {"tokens": 10}}],
    "warnings": ["few seeds", "a small corpus"],
    "sequential": {"looks": [8, 12], "weights": [0.5, 0.5], "look": 1},
    "tuning": {"stage": "result", "criterion": {"name": "held_out.loss", "better": "lower"},
      "rates": [0.001, 0.01], "seeds": [1, 2], "extensions": 1, "common_rate": 0.01,
      "arms": [{"arm": "mlm", "rate": 0.001, "edge": "low", "trials": 4, "diverged": 1,
        "flops": 2e9, "initial_loss": null,
        "tried": [{"rate": 0.001, "values": [2, null]}]}]},
    "part_of": {"arms": [{"name": "clm", "config": {"a": 1}}], "seeds": [7, 8], "match": [],
      "power": "", "warnings": ["many arms"]},
    "resolved": {"seeds": [7, 8], "baseline": "clm", "match": {"on": ["tokens"]}},
    "vocabulary": {"ordinary": [16, 20]}
  })");
}

TEST(StoredPlan, ReadsArmsAndTrials) {
  const Json document = complete_plan();
  const StoredPlan plan = stored_plan(document);
  EXPECT_EQ(plan.experiment, "small");
  EXPECT_EQ(plan.question, "Which?");
  EXPECT_EQ(plan.baseline(), "clm");
  ASSERT_EQ(plan.arms.size(), 3u);
  EXPECT_EQ(plan.arms[0].label, "Causal");
  EXPECT_EQ(plan.arms[1].objective, "masked_lm") << "of its section, where the plan does not say";
  EXPECT_EQ(plan.arms[2].of, "mlm");
  EXPECT_EQ(*plan.arms[2].config, Json::object());
  ASSERT_EQ(plan.trials.size(), 1u);
  EXPECT_EQ(plan.trials[0].id, "t0");
  EXPECT_EQ(plan.trials[0].seed, 7);
  EXPECT_EQ(plan.trials[0].steps, 20);
  EXPECT_EQ(plan.trials[0].config, &document["trials"][0]["config"]) << "not copied";
  const std::vector<StoredProbe> probes = probes_of(plan.trials[0]);
  ASSERT_EQ(probes.size(), 2u);
  EXPECT_EQ(probes[0].name, "held_out");
  EXPECT_FALSE(probes[0].named);
  EXPECT_EQ(probes[0].settings, Json({{"type", "held_out"}, {"texts", 9}}));
  EXPECT_EQ(probes[1].name, "intents");
  EXPECT_TRUE(probes[1].named);
}

TEST(StoredPlan, ReadsWhatIsDeclared) {
  const Json document = complete_plan();
  const StoredPlan plan = stored_plan(document);
  ASSERT_EQ(plan.metrics_of("clm").size(), 1u);
  EXPECT_EQ(plan.metrics_of("clm")[0].better, Better::lower);
  EXPECT_EQ(plan.metrics_of("clm")[0].comparable_across, Comparable::all_arms);
  EXPECT_EQ(plan.metrics_of("clm")[0].description, "what it means");
  EXPECT_THAT(plan.metrics_of("mlm"), IsEmpty());
  EXPECT_EQ(plan.analysis.primary, "a.b");
  EXPECT_EQ(plan.analysis.alpha, 0.1);
  EXPECT_EQ(plan.analysis.correction, statistics::Correction::none);
  EXPECT_EQ(plan.analysis.smallest_effect, 0.02);
  ASSERT_EQ(plan.ledger.size(), 1u);
  EXPECT_EQ(plan.ledger[0].amounts, Json({{"flops", 1e9}}));
  ASSERT_EQ(plan.match.size(), 1u);
  EXPECT_EQ(plan.match[0].spread, 0.5);
  ASSERT_EQ(plan.corpora.size(), 1u);
  EXPECT_EQ(plan.corpora[0].training_tokens, 90);
  EXPECT_THAT(plan.other_warnings(), ElementsAre("a small corpus"));
  EXPECT_THAT(plan.resolved.seeds, ElementsAre(7, 8));
}

TEST(StoredPlan, ReadsLooksTuningAndTheCompleteExperiment) {
  const Json document = complete_plan();
  const StoredPlan plan = stored_plan(document);
  ASSERT_TRUE(plan.looks);
  EXPECT_THAT(plan.looks->seeds, ElementsAre(8, 12));
  EXPECT_EQ(plan.looks->begun, 1u);
  ASSERT_TRUE(plan.tuned);
  EXPECT_EQ(plan.tuned->seeds, 2);
  EXPECT_EQ(plan.tuned->common, 0.01);
  ASSERT_EQ(plan.tuned->arms.size(), 1u);
  EXPECT_FALSE(plan.tuned->arms[0].initial_loss);
  EXPECT_THAT(plan.tuned->arms[0].tried[0].values, ElementsAre(2.0, std::nullopt));
  ASSERT_TRUE(plan.part_of);
  EXPECT_THAT(plan.part_of->seeds, ElementsAre(7, 8));
  EXPECT_THAT(plan.part_of->warnings, ElementsAre("many arms"));
}

TEST(StoredPlan, IsReadWithoutWhatOlderVersionsDidNotStore) {
  const Json document = {{"experiment", "old"}, {"arms", {{{"name", "clm"}}}}};
  const StoredPlan plan = stored_plan(document);
  EXPECT_EQ(plan.arms.size(), 1u);
  EXPECT_EQ(plan.baseline(), "");
  EXPECT_THAT(plan.trials, IsEmpty());
  EXPECT_EQ(plan.analysis.alpha, 0.05);
  EXPECT_EQ(plan.analysis.correction, statistics::Correction::holm);
  EXPECT_FALSE(plan.looks || plan.tuned || plan.part_of);
  EXPECT_TRUE(plan.vocabulary->is_null());
}

TEST(StoredPlan, IsOfNoTunedExperimentBeforeRatesAreChosen) {
  Json document = complete_plan();
  document["tuning"] = {{"stage", "tuning"}, {"section", {{"seeds", 2}}}};
  const StoredPlan plan = stored_plan(document);
  EXPECT_FALSE(plan.tuned);
  EXPECT_EQ(plan.tuning, &document["tuning"]);
}

// Whatever part of a plan is of another kind, the plan is refused: nothing is read as if it were empty.
TEST(StoredPlan, RefusesPartsOfAnotherKind) {
  for (const auto& [pointer, value] : {std::pair<std::string, Json>{"", Json::array()},
                                       {"/experiment", 3},
                                       {"/arms", 3},
                                       {"/arms/0/name", nullptr},
                                       {"/arms/0/baseline", "yes"},
                                       {"/arms/1", "mlm"},
                                       {"/trials/0", 3},
                                       {"/trials/0/id", 3},
                                       {"/trials/0/arm", nullptr},
                                       {"/trials/0/seed", 1.5},
                                       {"/trials/0/steps", "20"},
                                       {"/analysis", 3},
                                       {"/analysis/alpha", "small"},
                                       {"/match/0/spread", nullptr},
                                       {"/sequential/looks", 8},
                                       {"/sequential/weights", nullptr},
                                       {"/tuning/rates", 3},
                                       {"/tuning/arms/0/tried/0/values", {"x"}},
                                       {"/part_of", nullptr},
                                       {"/part_of/arms/0", {{"name", "clm"}}},
                                       {"/part_of/seeds", "x"},
                                       {"/part_of/warnings", {3}},
                                       {"/resolved", nullptr},
                                       {"/resolved/seeds", {"x"}}}) {
    Json document = complete_plan();
    document[Json::json_pointer(pointer)] = value;
    EXPECT_THROW(stored_plan(document), Json::exception) << pointer;
  }
}

TEST(StoredPlan, RefusesLooksThatCannotHaveBeenPlanned) {
  const auto refusal = [](const Json& looks, const Json& weights) -> std::string {
    Json document = complete_plan();
    document["sequential"] = {{"looks", looks}, {"weights", weights}};
    try {
      stored_plan(document);
    } catch (const DamagedFile& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refusal({8, 12}, {.5, .5}), "");
  for (const Json& looks : {Json::array(), Json({12, 8}), Json({8, 8}), Json({0, 8})})
    EXPECT_THAT(refusal(looks, {.5, .5}), HasSubstr("its looks are " + looks.dump()));
  EXPECT_THAT(refusal({8, 12}, {1}), HasSubstr("it has 2 looks and 1 weights of looks"));
}

}  // namespace
}  // namespace ablate::store

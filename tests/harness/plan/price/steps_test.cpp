// Budgets become steps: those in tokens are counted in raw tokens of text, exactly, whatever the
// objective and however documents are packed.

#include "harness/plan/price/steps.h"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/harness/plan/small_catalog.h"

namespace ablate::plan {
namespace {

using testing::HasSubstr;
using testing_support::plan_of;
using testing_support::refusal_of;
using testing_support::small_experiment;

constexpr double kBudget = 1600;
constexpr double kBatch = 4, kContext = 16;

/// Both objectives with every packing, each with a budget of 1600.
Json packed(const char* unit) {
  Json experiment = small_experiment();
  const Json packings = {{"train.packing", {"isolated", "joined", "padded"}}};
  experiment["train"]["budget"] = {{unit, kBudget}};
  experiment["arms"] = {
      {{"name", "plain"}, {"set", {{"objective", {{"type", "plain"}}}}}, {"grid", packings}},
      {{"name", "hide"}, {"set", {{"objective", {{"type", "hide"}}}}}, {"grid", packings}}};
  experiment["baseline"] = "plain[packing=isolated]";
  return experiment;
}

/// The raw tokens of a step, as planned.
double tokens_of_step(const Json& row) {
  return row["text_tokens"].get<double>() / row["steps"].get<double>();
}

TEST(Steps, OfABudgetInTokensReadThatManyRawTokensWithinOneStep) {
  const testing_support::PlanFolder folder;
  const Plan plan = plan_of(folder, packed("tokens"));
  ASSERT_EQ(plan.ledger.size(), 6u);
  for (const Json& row : plan.ledger) {
    const double read = row["text_tokens"];
    EXPECT_GE(read, kBudget) << row["arm"];
    EXPECT_LT(read, kBudget + tokens_of_step(row)) << row["arm"];
  }
  for (std::size_t packing = 0; packing < 3; ++packing)
    EXPECT_EQ(plan.ledger[packing]["steps"], plan.ledger[packing + 3]["steps"])
        << "the objective does not matter";
  EXPECT_GT(plan.ledger[2]["steps"], plan.ledger[0]["steps"]) << "pads are not raw tokens";
}

TEST(Steps, OfABudgetInPositionsAreThoseOfBatchTimesContext) {
  const testing_support::PlanFolder folder;
  Json experiment = packed("positions");
  experiment["match"] = {{"on", Json::array({"positions"})}, {"tolerance", 0}};
  const Plan plan = plan_of(folder, experiment);
  for (const Json& row : plan.ledger)
    EXPECT_EQ(row["steps"], kBudget / (kBatch * kContext)) << row["arm"];
  EXPECT_EQ(plan.match[0].low, kBudget);
  EXPECT_EQ(plan.match[0].high, kBudget);
}

TEST(Steps, OfABudgetInPositionsAreMatchedOnThem) {
  const testing_support::PlanFolder folder;
  Json experiment = packed("positions");
  experiment["match"] = {{"on", Json::array({"positions"})}};
  experiment["arms"][0]["set"]["train.budget"] = {{"positions", 3200}};
  EXPECT_THAT(refusal_of(folder, experiment), HasSubstr("arms differ in positions by 50 %"));
}

/// The raw tokens of a step that draws its texts from these corpora.
double tokens_of_mixture(const testing_support::PlanFolder& folder, const Json& mixture,
                         const char* packing) {
  Json experiment = small_experiment();
  experiment["train"]["packing"] = packing;
  const Json phase = {{"name", "all"}, {"budget", {{"tokens", 1e6}}}, {"mixture", mixture}};
  experiment["arms"] = {
      {{"name", "plain"},
       {"set", {{"objective", {{"type", "plain"}}}, {"train.phases", Json::array({phase})}}}}};
  experiment["baseline"] = "plain";
  const Plan plan = plan_of(folder, experiment);
  const Json& row = plan.ledger[0];
  EXPECT_GE(row["text_tokens"], 1e6);
  EXPECT_LT(row["text_tokens"], 1e6 + tokens_of_step(row));
  return tokens_of_step(row);
}

TEST(Steps, OfAMixtureReadTheMeanOfItsCorporaByTheirFractions) {
  const testing_support::PlanFolder folder;
  const auto member = [](const Json& corpus, double fraction) {
    return Json{{"corpus", corpus}, {"share", fraction}};
  };
  const Json shorter = {{"document_length", 20}};
  for (const char* packing : {"isolated", "padded"}) {
    const double main = tokens_of_mixture(folder, Json::array({member("main", 1)}), packing);
    const double other = tokens_of_mixture(folder, Json::array({member(shorter, 1)}), packing);
    const double both = tokens_of_mixture(
        folder, Json::array({member(shorter, 0.75), member("main", 0.25)}), packing);
    EXPECT_LT(other, main - 1) << packing << ": shorter documents have more begin tokens or pads";
    EXPECT_NEAR(both, 0.75 * other + 0.25 * main, 1e-3) << packing;
  }
}

TEST(Steps, DependOnNoOtherArm) {
  const testing_support::PlanFolder folder;
  const Plan few = plan_of(folder, packed("tokens"));
  Json many = packed("tokens");
  for (int i = 0; i < 40; ++i)
    many["arms"].push_back(
        {{"name", fmt::format("other{}", i)},
         {"set",
          {{"objective", {{"type", "hide"}}}, {"train.learning_rate", 1e-3 * (i + 1) + 1e-5}}}});
  const Plan more = plan_of(folder, many);
  for (std::size_t i = 0; i < few.ledger.size(); ++i)
    for (const char* count : {"steps", "text_tokens"})
      EXPECT_EQ(more.ledger[i][count], few.ledger[i][count]) << few.ledger[i]["arm"];
}

TEST(Steps, AreRoundedUpAndAtLeastOne) {
  const StepCost step{.tokens = 63.2, .positions = 64, .targets = 10, .flops = 1e6};
  EXPECT_EQ(steps_of({"tokens", 6320}, step), 100);
  EXPECT_EQ(steps_of({"tokens", 6320.1}, step), 101);
  EXPECT_EQ(steps_of({"positions", 6400}, step), 100);
  EXPECT_EQ(steps_of({"targets", 1}, step), 1);
  EXPECT_EQ(steps_of({"flops", 2.5e6}, step), 3);
  EXPECT_EQ(steps_of({"steps", 0.07 * 100}, step), 7) << "a rounding error adds no step";
  EXPECT_EQ(steps_of({"seconds", 9}, step), 0);
}

TEST(Steps, AreRefusedWhereNoneSpendsTheBudgetOrTooManyDo) {
  try {
    steps_of({"targets", 10}, {.tokens = 1});
    FAIL() << "a budget that is never spent was accepted";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(),
                 "a step has no targets, so a budget in targets is never spent; give another "
                 "budget");
  }
  EXPECT_THROW(steps_of({"tokens", 1e15}, {.tokens = 1}), std::invalid_argument);
}

}  // namespace
}  // namespace ablate::plan

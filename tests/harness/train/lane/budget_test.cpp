// Budgets in every unit.

#include "harness/train/lane/budget.h"

#include <gtest/gtest.h>

namespace ablate::train {
namespace {

const Usage kSpent = {.steps = 5,
                      .text_tokens = 100,
                      .positions = 120,
                      .targets = 30,
                      .target_weight = 27,
                      .seconds = 2.5};
const FlopCount kCost = {.trunk_per_token = 10, .head_per_target = 4};

TEST(Budget, IsSpentInItsOwnUnit) {
  const std::pair<const char*, double> amounts[] = {
      {"steps", 5}, {"tokens", 100}, {"targets", 30}, {"flops", 1320}, {"seconds", 2.5}};
  for (const auto& [unit, spent] : amounts) {
    EXPECT_NEAR(Budget({{unit, 4 * spent}}, 0, kCost).progress(kSpent), 0.25, 1e-12) << unit;
    EXPECT_EQ(Budget({{unit, spent}}, 0, kCost).progress(kSpent), 1) << unit;
    EXPECT_EQ(Budget({{unit, spent / 9}}, 0, kCost).progress(kSpent), 1) << unit;
  }
}

TEST(Budget, FollowsThePlanWhereThePlanHasCountedTheSteps) {
  const Budget budget({{"tokens", 100}}, 20, kCost);
  EXPECT_EQ(budget.steps(), 20);
  EXPECT_DOUBLE_EQ(budget.progress(kSpent), 0.25);
}

TEST(Budget, PassesOverUnitsThatAreNull) {
  const Json given = {{"tokens", nullptr}, {"steps", 10}};
  EXPECT_DOUBLE_EQ(Budget(given, 0, kCost).progress(kSpent), 0.5);
}

TEST(Budget, RefusesToTrainForEver) {
  EXPECT_THROW(Budget(Json::object(), 0, kCost), std::invalid_argument);
}

TEST(Budget, LeavesPositionsOfTextToThePlan) {
  EXPECT_EQ(Budget({{"positions", 1600}}, 25, kCost).steps(), 25);
  try {
    Budget({{"positions", 1600}}, 0, kCost);
    FAIL() << "a budget in positions was counted without planned steps";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(),
                 "budget = {\"positions\":1600}, without planned steps; give one of steps, tokens, "
                 "targets, flops or seconds, above 0 (positions are counted by the plan)");
  }
}

TEST(Usage, SurvivesBeingStored) {
  EXPECT_EQ(to_json(usage_from_json(Json::parse(canonical(to_json(kSpent))))), to_json(kSpent));
}

}  // namespace
}  // namespace ablate::train

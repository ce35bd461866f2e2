// The looks of an experiment, planned from its file and flags.

#include "harness/plan/seeds/looks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/plan/trial/plan_json.h"
#include "tests/harness/plan/small_catalog.h"

namespace ablate::plan {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing_support::plan_of;
using testing_support::small_experiment;

/// The small experiment: arms "hide" are compared, "plain" is not (its objective differs).
Plan small_plan(int seeds) {
  const testing_support::PlanFolder folder;
  Json experiment = small_experiment();
  experiment["seeds"] = seeds;
  return plan_of(folder, experiment);
}

std::string refusal(const Plan& plan, const LookLimits& limits) {
  try {
    planned_looks(plan, limits);
    return "";
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
}

TEST(PlannedLooks, BeginWithTheSeedsOfTheFileAndEndAtTheCap) {
  const Plan plan = small_plan(10);
  EXPECT_THAT(planned_looks(plan, {.cap = 24, .group = 4}), ElementsAre(10, 14, 18, 22, 24));
  EXPECT_THAT(planned_looks(plan, {.cap = 24}), ElementsAre(10, 15, 20, 24))
      << "groups of half the first look";
  EXPECT_THAT(planned_looks(plan, {}), ElementsAre(10, 15, 20, 25, 30)) << "three times as many";
  EXPECT_THAT(planned_looks(plan, {.cap = 10}), ElementsAre(10));
}

TEST(PlannedLooks, BeginWithAsManySeedsAsItTakesToFindAnything) {
  const Plan plan = small_plan(3);
  for (const std::int64_t cap : {12, 24, 48}) {
    const statistics::Looks looks = planned_looks(plan, {.cap = cap});
    const double level = .05 / static_cast<double>(plan.comparisons);
    EXPECT_EQ(looks.front(), *statistics::fewest_for_first_look(cap, level)) << cap;
    EXPECT_EQ(looks.back(), cap);
  }
}

TEST(PlannedLooks, RefuseACapBelowTheFirstLook) {
  EXPECT_EQ(
      refusal(small_plan(10), {.cap = 8}),
      "--cap 8: is below the first look, which has the 10 seeds of the experiment; accepted: 10 "
      "or more, or fewer \"seeds\" in the file");
}

TEST(PlannedLooks, RefuseACapThatCanFindNothing) {
  EXPECT_THAT(
      refusal(small_plan(2), {.cap = 4}),
      HasSubstr("no look at up to 4 seeds can find a difference, however large; accepted: "));
}

TEST(PlannedLooks, RefuseAnExperimentThatComparesNothing) {
  Plan plan = small_plan(8);
  plan.comparisons = 0;
  EXPECT_THAT(refusal(plan, {}), HasSubstr("compares no arm with its baseline"));
}

TEST(PlannedLooks, RefuseMoreSeedsThanAnyoneMeans) {
  EXPECT_THAT(refusal(small_plan(8), {.cap = 10'000}), HasSubstr("accepted: up to 200"));
}

TEST(SeedsOfALook, GoOnAfterTheLargestOfTheFile) {
  Plan plan = small_plan(3);
  EXPECT_THAT(seeds_of_look(plan, 5), ElementsAre(1, 2, 3, 4, 5));
  plan.resolved["seeds"] = {7, 3};
  EXPECT_THAT(seeds_of_look(plan, 4), ElementsAre(7, 3, 8, 9));
  EXPECT_THROW(seeds_of_look(plan, 1), std::invalid_argument);
}

TEST(SetLooks, IsKeptInThePlanAndReplacesWhatOneTestCouldShow) {
  Plan plan = small_plan(3);
  const std::string before = plan.power;
  ASSERT_THAT(plan.warnings, testing::Contains(before)) << "three seeds can show nothing";
  set_looks(plan, {8, 12}, 1);
  EXPECT_THAT(plan.power,
              HasSubstr("Decided after 12 seeds at the latest, with looks after 8, 12"));
  EXPECT_THAT(plan.warnings, testing::Not(testing::Contains(before)));
  const Plan stored = plan_from_json(to_json(plan));
  ASSERT_TRUE(stored.looks);
  EXPECT_EQ(stored.looks, plan.looks);
  EXPECT_THAT(stored.looks->seeds, testing::ElementsAre(8, 12));
}

}  // namespace
}  // namespace ablate::plan

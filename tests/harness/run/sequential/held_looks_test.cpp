// The looks of a results folder, which nobody may change once one has begun.

#include "harness/run/sequential/held_looks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/error.h"
#include "harness/plan/seeds/looks.h"
#include "harness/plan/trial/plan_json.h"
#include "harness/run/folder_plan.h"
#include "harness/store/merge.h"
#include "tests/harness/plan/small_catalog.h"
#include "tests/harness/store/fake_results.h"

namespace ablate::run {
namespace {

using plan::testing_support::small_experiment;
using testing::HasSubstr;

class LookedFolder : public testing::Test {
 protected:
  /// The plan with `seeds` seeds; with looks unless there are none.
  plan::Plan planned(int seeds, const statistics::Looks& looks = {}, std::size_t begun = 1) const {
    Json experiment = small_experiment();
    experiment["seeds"] = seeds;
    plan::Plan plan = plan_of(folder, experiment);
    if (!looks.empty()) set_looks(plan, looks, begun);
    return plan;
  }

  /// What the folder's plan would be; the error where it is refused.
  std::string refusal(const plan::Plan& plan, bool add = false) const {
    try {
      folder_plan(results, plan, add, [&](const plan::TrialPlaces&) { return plan; });
      return "";
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
  }

  void freeze(const plan::Plan& plan) const {
    store::freeze_plan(results, to_json(plan), {{"experiment.json", "{}"}});
  }

  plan::testing_support::PlanFolder folder;
  std::filesystem::path results = folder / "results";
};

TEST_F(LookedFolder, HasNoneBeforeOneHasBegun) {
  EXPECT_FALSE(held_looks(results));
  freeze(planned(8));
  EXPECT_FALSE(held_looks(results));
}

TEST_F(LookedFolder, KeepsItsLooksAndHowManyHaveBegun) {
  freeze(planned(12, {8, 12, 16}, 2));
  const auto held = held_looks(results);
  ASSERT_TRUE(held);
  EXPECT_EQ(held->seeds, (statistics::Looks{8, 12, 16}));
  EXPECT_EQ(held->begun, 2u);
}

TEST_F(LookedFolder, GoesOnWithTheNextLookAsWithAnyNewSeeds) {
  freeze(planned(8, {8, 12, 16}, 1));
  EXPECT_EQ(refusal(planned(8, {8, 12, 16}, 1)), "") << "the same look once more";
  EXPECT_EQ(refusal(planned(12, {8, 12, 16}, 2), true), "");
}

TEST_F(LookedFolder, IsNotLeftForATestThatForgetsTheLooks) {
  freeze(planned(8, {8, 12, 16}));
  for (const bool add : {false, true})
    EXPECT_THAT(
        refusal(planned(8), add),
        HasSubstr("is run until it is decided, with looks after 8, 12, 16 seeds, and a test that "
                  "ignored them would find too much; continue with --until-decided, or "
                  "choose another --results folder"));
}

TEST_F(LookedFolder, KeepsTheLooksThatWerePlannedFirst) {
  freeze(planned(8, {8, 12, 16}));
  EXPECT_THAT(
      refusal(planned(8, {8, 12, 16, 20}), true),
      HasSubstr("its looks are planned after 8, 12, 16 seeds, not after 8, 12, 16, 20, and no "
                "look may be changed once one has begun"));
}

TEST_F(LookedFolder, BeginsNoLooksWhereMoreSeedsWereSeen) {
  freeze(planned(10));
  EXPECT_THAT(refusal(planned(8, {8, 12, 16}), true),
              HasSubstr("holds trials of seed 9, which the first look of --until-decided does not "
                        "have"));
}

TEST_F(LookedFolder, BeginsLooksOnFewerSeedsWhereThatIsAskedFor) {
  freeze(planned(6));
  EXPECT_THAT(refusal(planned(8, {8, 12})), HasSubstr("looks after seeds: none -> [8,12]"));
  EXPECT_EQ(refusal(planned(8, {8, 12}), true), "");
}

TEST_F(LookedFolder, IsDamagedWhereItsLooksAreNone) {
  Json plan = to_json(planned(8, {8, 12}));
  plan["sequential"]["looks"] = {12, 8};
  store::testing_support::put_plan(results, plan);
  EXPECT_THROW(held_looks(results), DamagedFile);
  plan["sequential"] = {{"looks", {8, 12}}, {"look", 3}};
  store::testing_support::put_plan(results, plan);
  EXPECT_THROW(held_looks(results), DamagedFile);
}

TEST_F(LookedFolder, IsCollectedWithOthersOfTheSameLooksAlone) {
  const std::filesystem::path other = folder / "other";
  freeze(planned(8, {8, 12, 16}, 1));
  store::freeze_plan(other, to_json(planned(12, {8, 12, 16}, 2)), {{"experiment.json", "{}"}});
  store::merge_results(results, other);
  EXPECT_EQ(held_looks(results)->begun, 2u) << "the looks that either has begun";
  const std::filesystem::path plain = folder / "plain";
  store::freeze_plan(plain, to_json(planned(8)), {{"experiment.json", "{}"}});
  EXPECT_THROW(store::merge_results(results, plain), std::invalid_argument);
}

}  // namespace
}  // namespace ablate::run

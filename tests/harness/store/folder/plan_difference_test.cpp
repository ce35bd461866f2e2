// What a new plan changes about that of a results folder, and plans that are united.

#include "harness/store/folder/plan_difference.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/store/folder/unite.h"
#include "tests/harness/store/fake_results.h"

namespace ablate::store {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing_support::fake_plan;

/// `plan` with trials that are trained with this batch.
Json with_batch(Json plan, int batch) {
  for (Json& trial : plan["trials"]) trial["config"]["train"]["batch"] = batch;
  return plan;
}

/// The part of a plan that has these arms, the baseline among them.
Json part_of(const Json& complete, const std::set<std::string>& arms) {
  Json part = complete;
  for (const auto& [list, key] : {std::pair{"arms", "name"}, {"trials", "arm"}}) {
    part[list] = Json::array();
    for (const Json& entry : complete.at(list))
      // The baseline stays among the arms, even where the part has no trials of it.
      if (arms.contains(entry.at(key)) || entry.value("baseline", false))
        part[list].push_back(entry);
  }
  part["part_of"] = {{"arms", Json::array()},
                     {"seeds", {1, 2}},
                     {"match", Json::array()},
                     {"power", "all"},
                     {"warnings", {"of all"}}};
  for (const Json& arm : complete.at("arms"))
    part["part_of"]["arms"].push_back({{"name", arm.at("name")}, {"config", {{"seed", 0}}}});
  part["warnings"] = {"of a part", "too few"};
  part["power"] = "too few";
  return part;
}

PlanDifference compared(const Json& held, const Json& wanted) {
  return compare_plans(stored_plan(held), stored_plan(wanted));
}

TEST(PlanDifference, IsEmptyForPartsOfOneExperiment) {
  const Json complete = fake_plan({"clm", "mlm"}, 2);
  const Json part = part_of(complete, {"clm"});
  EXPECT_THAT(compared(complete, complete).lines, IsEmpty());
  EXPECT_THAT(compared(complete, part).lines, IsEmpty());
  EXPECT_THAT(compared(part, complete).lines, IsEmpty());
  EXPECT_THAT(compared(part, part_of(complete, {"mlm"})).lines, IsEmpty());
  EXPECT_EQ(compared(complete, part).kept.size(), 4u);
}

TEST(PlanDifference, NamesArmsSeedsAndSettings) {
  const Json held = with_batch(fake_plan({"clm", "mlm"}, 2), 16);
  const PlanDifference difference = compared(held, with_batch(fake_plan({"clm", "fim"}, 3), 32));
  EXPECT_THAT(difference.lines, ElementsAre("arm 'fim' is new", "arm 'mlm' is gone",
                                            "seed 3 is new", "train.batch: 16 -> 32 (clm)"));
  EXPECT_THAT(difference.gone, ElementsAre("mlm"));
  EXPECT_THAT(difference.kept, IsEmpty());
  EXPECT_TRUE(difference.baseline_changed);
  EXPECT_THAT(compared(held, with_batch(fake_plan({"clm", "mlm"}, 2), 32)).lines,
              ElementsAre("train.batch: 16 -> 32 (all arms)"));
}

TEST(PlanDifference, NamesWhatIsCompared) {
  const Json held = fake_plan({"clm", "mlm"}, 2);
  Json wanted = held;
  wanted["analysis"]["primary"] = "held_out.loss";
  wanted["arms"][0]["baseline"] = false;
  wanted["arms"][1]["baseline"] = true;
  wanted["question"] = "Another?";
  const PlanDifference difference = compared(held, wanted);
  EXPECT_THAT(difference.lines,
              ElementsAre("baseline: clm -> mlm", "analysis.primary: none -> \"held_out.loss\""));
  EXPECT_EQ(difference.kept.size(), 4u) << "the trials are the same";
  EXPECT_FALSE(difference.baseline_changed);
}

TEST(UnitedPlans, SpeakOfTheCompleteExperimentOnceNothingIsMissing) {
  const Json complete = fake_plan({"clm", "mlm", "fim"}, 2);
  const Json two = united(part_of(complete, {"fim"}), part_of(complete, {"clm"}));
  EXPECT_EQ(two.at("warnings"), Json({"of a part"})) << "not the one about its power";
  EXPECT_EQ(two.at("arms"), Json({complete.at("arms")[0], complete.at("arms")[2]}));
  const Json all = united(two, part_of(complete, {"mlm"}));
  EXPECT_EQ(all.at("trials"), complete.at("trials"));
  EXPECT_EQ(all.at("arms"), complete.at("arms"));
  EXPECT_EQ(all.at("warnings"), Json({"of all"}));
  EXPECT_EQ(all.at("power"), "all");
  EXPECT_FALSE(all.contains("part_of"));
}

}  // namespace
}  // namespace ablate::store

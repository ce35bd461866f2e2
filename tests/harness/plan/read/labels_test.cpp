// The labels of arms.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/plan/trial/plan_json.h"
#include "tests/harness/plan/small_catalog.h"

namespace ablate::plan {
namespace {

using testing::HasSubstr;
using testing_support::plan_of;
using testing_support::small_experiment;

/// The small experiment, whose arm at `index` has a label.
Json labelled(std::size_t index, const std::string& label) {
  Json experiment = small_experiment();
  experiment["arms"][index]["label"] = label;
  return experiment;
}

TEST(Label, TravelsWithThePlanButNotIntoIds) {
  const testing_support::PlanFolder folder;
  const Json plain = to_json(plan_of(folder, small_experiment()));
  const Json plan = to_json(plan_of(folder, labelled(1, "hidden, rate {rate}")));
  EXPECT_EQ(plan.at("arms").at(1).at("label"), "hidden, rate 0.15");
  EXPECT_EQ(plan.at("arms").at(2).at("label"), "hidden, rate 0.3");
  EXPECT_EQ(plan.at("resolved").at("arms").at(1).at("label"), "hidden, rate 0.15");
  EXPECT_FALSE(plan.at("arms").at(0).contains("label"));
  EXPECT_EQ(plan.at("trials"), plain.at("trials"));
  EXPECT_EQ(to_json(plan_from_json(plan)), plan);
}

TEST(Label, IsRefusedIfAReaderCouldNotTellArmsApart) {
  const testing_support::PlanFolder folder;
  const auto refused = [&](std::size_t index, const std::string& label) {
    return testing_support::refusal_of(folder, labelled(index, label));
  };
  EXPECT_THAT(refused(1, "hidden"),
              HasSubstr("error: arms 'hide[rate=0.15]' and 'hide[rate=0.3]' are both shown as "
                        "\"hidden\""));
  EXPECT_THAT(refused(0, "hide[rate=0.3]"), HasSubstr("are both shown as \"hide[rate=0.3]\""));
  EXPECT_THAT(refused(1, "hidden {rat}"),
              testing::AllOf(HasSubstr("error: {rat} names no swept path"),
                             HasSubstr("did you mean 'rate'?")));
  EXPECT_THAT(refused(0, "all of {it}"),
              testing::AllOf(HasSubstr("error: {it} names no swept path"),
                             HasSubstr("the arm sweeps none")));
}

TEST(Label, IsOneLineOfAtMostSixtyCharacters) {
  const testing_support::PlanFolder folder;
  const auto refused = [&](const Json& label) {
    Json experiment = small_experiment();
    experiment["arms"][0]["label"] = label;
    return testing_support::refusal_of(folder, experiment);
  };
  for (const Json& label : {Json(""), Json("two\nlines"), Json(3), Json(std::string(61, 'x'))})
    EXPECT_THAT(refused(label), HasSubstr("is not a label of an arm")) << label;
  std::string sixty;
  for (int i = 0; i < 60; ++i) sixty += "\xC3\xA4";  // a letter of two bytes
  EXPECT_EQ(refused(sixty), "");
}

}  // namespace
}  // namespace ablate::plan

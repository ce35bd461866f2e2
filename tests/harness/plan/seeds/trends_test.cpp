// Declared trends: refused where they cannot be, counted where they can.

#include "harness/plan/seeds/trends.h"

#include <gmock/gmock.h>

#include "harness/plan/file/declared_trends.h"
#include "tests/harness/plan/small_catalog.h"

namespace ablate::plan {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing_support::plan_of;
using testing_support::refusal_of;
using testing_support::small_experiment;

/// The small experiment with three rates and these trends.
Json with_trends(const Json& trends) {
  Json experiment = small_experiment();
  experiment["arms"][1]["grid"]["objective.rate"] = {0.15, 0.3, 0.6};
  experiment["seeds"] = 8;
  experiment["analysis"]["trends"] = trends;
  return experiment;
}

TEST(DeclaredTrends, AreTestsOfTheFamily) {
  const testing_support::PlanFolder folder;
  const Json linear = {{"along", "objective.rate"}, {"shape", "linear"}};
  EXPECT_EQ(plan_of(folder, with_trends(Json::array())).comparisons, 3);
  const Plan plan = plan_of(folder, with_trends(Json::array({linear})));
  EXPECT_EQ(plan.comparisons, 4);
  EXPECT_THAT(plan.power, HasSubstr("8 seeds and 4 comparisons"));
  Json quadratic = linear;
  quadratic["shape"] = "quadratic";
  quadratic["of"] = "hide";
  EXPECT_EQ(plan_of(folder, with_trends(Json::array({linear, quadratic}))).comparisons, 5);
}

TEST(DeclaredTrends, LeaveThePlanOfOthersAsItWas) {
  const testing_support::PlanFolder folder;
  EXPECT_FALSE(plan_of(folder, small_experiment()).analysis.section.contains("trends"));
}

TEST(DeclaredTrends, AreAsStoredPlansHaveThem) {
  const testing_support::PlanFolder folder;
  const Plan plan = plan_of(
      folder, with_trends({{{"along", "objective.rate"}, {"shape", "quadratic"}, {"of", "hide"}}}));
  EXPECT_EQ(declared_trends(plan.analysis.section),
            (std::vector<DeclaredTrend>{{"objective.rate", "hide", "loss.excess", 2}}));
}

TEST(DeclaredTrends, AlongWhatIsNotSweptAreRefusedWithTheirPlace) {
  const testing_support::PlanFolder folder;
  const std::string refusal =
      refusal_of(folder, with_trends({{{"along", "objective.rat"}, {"shape", "linear"}}}));
  EXPECT_THAT(refusal, AllOf(testing::StartsWith("experiment.json:"),
                             HasSubstr("analysis: trends: no arms sweep over three values of "
                                       "'objective.rat' or more"),
                             HasSubstr("did you mean 'objective.rate'")));
  Json two = with_trends({{{"along", "objective.rate"}, {"shape", "linear"}}});
  two["arms"][1]["grid"]["objective.rate"] = {0.15, 0.3};
  EXPECT_THAT(refusal_of(folder, two), HasSubstr("no arms sweep over three values"));
}

TEST(DeclaredTrends, WithUnknownShapesKeysArmsOrMetricsAreRefused) {
  const testing_support::PlanFolder folder;
  const auto refused = [&](const char* key, const char* value) {
    Json trend = {{"along", "objective.rate"}, {"shape", "linear"}};
    trend[key] = value;
    return refusal_of(folder, with_trends(Json::array({trend})));
  };
  EXPECT_THAT(refused("shape", "cubic"), AllOf(HasSubstr("experiment.json:"), HasSubstr("cubic"),
                                               HasSubstr("linear"), HasSubstr("quadratic")));
  EXPECT_THAT(refused("alongside", "x"), HasSubstr("alongside"));
  EXPECT_THAT(refused("of", "plain"),
              HasSubstr("no arms of 'plain' sweep over three values of objective.rate"));
  EXPECT_THAT(refused("metric", "loss.nothing"), HasSubstr("'loss.nothing' is not measured"));
  EXPECT_THAT(refused("metric", "loss.own"), HasSubstr("may not be compared"));
}

TEST(DeclaredTrends, ThatAreDeclaredTwiceAreRefused) {
  const testing_support::PlanFolder folder;
  const Json linear = {{"along", "objective.rate"}, {"shape", "linear"}};
  EXPECT_THAT(refusal_of(folder, with_trends(Json::array({linear, linear}))),
              HasSubstr("is declared twice"));
}

TEST(DeclaredTrends, ThatAreNoListAreRefused) {
  const testing_support::PlanFolder folder;
  EXPECT_THAT(refusal_of(folder, with_trends({{"along", "objective.rate"}, {"shape", "linear"}})),
              HasSubstr("experiment.json:"));
}

TEST(TrendFamilies, AreEntriesThatTheNumberTellsApart) {
  const Json low = {{"objective", {{"rate", .1}}}}, middle = {{"objective", {{"rate", .2}}}},
             high = {{"objective", {{"rate", .4}}}};
  const DeclaredTrend trend{.along = "objective.rate", .of = {}, .metric = "m"};
  const auto families =
      families_of(trend, {{"a[2]", &high}, {"b", &low}, {"a[1]", &low}, {"a[3]", &middle}});
  ASSERT_EQ(families.size(), 1u);
  EXPECT_EQ(families[0].entry, "a");
  EXPECT_EQ(families[0].members[0].arm, 2u);
  EXPECT_EQ(families[0].members[2].value, .4);
  EXPECT_THAT(families_of(trend, {{"a[1]", &low}, {"a[2]", &low}, {"a[3]", &high}}), IsEmpty())
      << "a grid over another setting, too: the number does not tell all apart";
}

}  // namespace
}  // namespace ablate::plan

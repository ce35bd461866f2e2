// Trends that the experiment declared.

#include "reports/analysis/declared_trends.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/analysis/answer/answer.h"
#include "reports/analysis/sweeps/trends.h"
#include "tests/reports/files.h"
#include "tests/reports/sweeps.h"

namespace ablate::reports {
namespace {

using testing::HasSubstr;
using testing::Not;

/// Rates of .15, .3 and .5, along which the excess falls, with this trend declared.
store::Records with_declared(const char* shape, const char* metric = nullptr) {
  store::Records records = with_sweep("mlm", {.5, .15, .3});
  Json trend = {{"along", "objective.rate"}, {"shape", shape}};
  if (metric != nullptr) trend["metric"] = metric;
  records.plan["analysis"]["trends"] = Json::array({trend});
  return records;
}

TEST(DeclaredTrends, AreAdjustedInOneFamilyWithTheComparisons) {
  const store::Records records = with_declared("linear");
  const Analysis analysis = analyse(records);
  ASSERT_EQ(analysis.declared_trends.size(), 1u);
  const TrendContrast& trend = analysis.declared_trends[0];
  EXPECT_EQ(trend.family, "mlm");
  EXPECT_EQ(trend.metric, "held_out.excess");
  EXPECT_NEAR(*trend.over_seeds.mean, -.1, 1e-12);
  EXPECT_EQ(trend.p, .03125);
  EXPECT_EQ(analysis.comparisons, 5) << "mlm, three rates, and the trend";
  EXPECT_EQ(trend.p_adjusted, 5 * .03125) << "all five have the same p";
  EXPECT_EQ(*analysis.difference("mlm", "held_out.excess")->p_adjusted, 5 * .03125);
}

TEST(DeclaredTrends, HaveAVerdictOfTheOneRule) {
  store::Records records = with_declared("linear");
  EXPECT_EQ(trend_verdict(analyse(records), analyse(records).declared_trends[0]),
            "not testable with 6 seeds");
  records.plan["analysis"]["correction"] = "none";
  EXPECT_EQ(trend_verdict(analyse(records), analyse(records).declared_trends[0]), "falls");
  EXPECT_THAT(answer(analyse(records)),
              HasSubstr(" Along rate 0.15 to 0.5, held_out.excess of mlm falls."));
  EXPECT_THAT(basis_of(answer_statements(analyse(records))),
              HasSubstr("Trend: linear, -0.1 ± 0 per unit of objective.rate, p = 0.031."));
  records = with_declared("quadratic");
  records.plan["analysis"]["correction"] = "none";
  EXPECT_EQ(trend_verdict(analyse(records), analyse(records).declared_trends[0]), "inconclusive");
}

TEST(DeclaredTrends, ThatRestOnOneValueSaySo) {
  store::Records records = with_sweep("mlm", {0, .25, .5, .75, 1});
  records.plan["analysis"]["trends"] =
      Json::array({{{"along", "objective.rate"}, {"shape", "linear"}}});
  records.plan["analysis"]["correction"] = "none";
  const auto carried = [&] { return analyse(records).declared_trends[0].carried_by; };
  EXPECT_FALSE(carried()) << "the excess falls by .1 per unit, whichever value is left out";
  for (store::TrialRecord& trial : records.trials)
    if (trial.arm == "mlm[rate=1]") trial.metrics["held_out.excess"] += .5;
  ASSERT_TRUE(carried());
  EXPECT_EQ(carried()->value, 1);
  EXPECT_NEAR(*carried()->without.mean, -.1, 1e-12);
  EXPECT_THAT(
      answer(analyse(records)),
      HasSubstr(" rises, most of which rests on the value 1: without it the trend is -0.1 ± 0."));
  EXPECT_THAT(files_of(records).at("report.md"),
              HasSubstr("Most of the linear trend of held_out.excess along objective.rate rests on "
                        "the value 1: without it the trend is -0.1 ± 0."));
  records.plan["analysis"].erase("trends");
  EXPECT_THAT(
      files_of(records).at("report.md"),
      HasSubstr("Most of the linear trend of mlm along objective.rate rests on the value 1"))
      << "an exploratory trend, too";
}

TEST(DeclaredTrends, MayBeOfAnotherMetric) {
  store::Records records = with_declared("linear", "topic.accuracy");
  records.plan["analysis"]["correction"] = "none";
  const Analysis analysis = analyse(records);
  EXPECT_EQ(trend_verdict(analysis, analysis.declared_trends[0]), "rises");
  EXPECT_FALSE(trends_of(analysis)[0].linear.declared) << "that one is of the primary metric";
}

TEST(DeclaredTrends, CountInTheFamilyWhereNothingCanBeTested) {
  store::Records records = with_declared("linear");
  for (store::TrialRecord& trial : records.trials)
    if (trial.arm == "mlm[rate=0.3]") trial.outcome = "failed";
  const Analysis analysis = analyse(records);
  EXPECT_EQ(analysis.comparisons, 5);
  EXPECT_FALSE(analysis.declared_trends[0].p);
  EXPECT_THAT(answer(analysis), HasSubstr("has no trend to test"));
}

TEST(DeclaredTrends, StandInATableOfTheirOwnAndInEveryFormat) {
  const auto files = files_of(with_declared("linear"));
  EXPECT_THAT(files.at("report.md"), HasSubstr("Declared trends"));
  EXPECT_THAT(files.at("report.md"), HasSubstr("4 comparisons and 1 trend"));
  EXPECT_THAT(files.at("report.json"), HasSubstr("\"declared_trends\": [\n"));
  EXPECT_THAT(files.at("trends.csv"), HasSubstr(",not testable with 6 seeds"));
  EXPECT_THAT(files.at("trends.csv"), HasSubstr(",exploratory"));
  EXPECT_THAT(files_of(with_sweep("mlm", {.15, .3, .5})).at("report.md"),
              Not(HasSubstr("Declared trends")));
}

}  // namespace
}  // namespace ablate::reports

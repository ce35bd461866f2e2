// Every sentence of the answer says what it was computed from.

#include "reports/analysis/answer/statement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/analysis/answer/answer.h"
#include "tests/reports/budget_sweeps.h"
#include "tests/reports/dynamics.h"
#include "tests/reports/files.h"
#include "tests/reports/hostile.h"
#include "tests/reports/sweeps.h"
#include "tests/reports/tuned_records.h"

namespace ablate::reports {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

/// mlm overtakes clm after 40 steps, with another slope between points so that it has an interval.
store::Records overtaking_records() {
  return with_dynamics({10, 20, 40}, [](std::int64_t step) {
    return 1.2 - .015 * static_cast<double>(step) + (step == 20 ? .01 : 0);
  });
}

std::vector<store::Records> all_kinds() {
  store::Records empty = small_records(), undeclared = small_records();
  empty.trials.clear();
  undeclared.plan["analysis"].erase("primary");
  return {small_records(),      with_gains(0, 0),
          with_gains(.2, .006), empty,
          undeclared,           with_sweep("mlm", {10, .3, .15, 2}),
          hostile_records(),    flipping(),
          overtaking_records(), tuned_records()};
}

TEST(Statements, EachHaveAQueryWhosePathsLeadToValues) {
  for (const store::Records& records : all_kinds()) {
    const Json report = json_of(records);
    ASSERT_FALSE(report.at("findings").empty());
    for (const Json& finding : report.at("findings")) {
      const Json& query = finding.at("query");
      EXPECT_FALSE(query.at("values").empty()) << finding.at("text");
      for (const Json& path : query.at("values")) {
        const Json::json_pointer pointer(path.get<std::string>());
        EXPECT_TRUE(report.contains(pointer)) << path;
      }
    }
  }
}

TEST(Statements, AreTheHeadlineAndWhatFollowsFromIt) {
  for (const store::Records& records : all_kinds()) {
    const Json report = json_of(records);
    std::string text;
    for (const Json& finding : report.at("findings"))
      text += (text.empty() ? "" : " ") + finding.at("text").get<std::string>();
    EXPECT_THAT(text, StartsWith(report.at("headline").get<std::string>()));
  }
}

TEST(Statements, OnADifferenceHaveItsTestArmsAndSeeds) {
  const Json report = json_of(small_records());
  ASSERT_EQ(report.at("findings").size(), 1u);
  const Json& query = report.at("findings")[0].at("query");
  EXPECT_EQ(query.at("metric"), "held_out.excess");
  EXPECT_EQ(query.at("arms"), Json({"clm", "mlm"}));
  EXPECT_EQ(query.at("seeds"), Json({1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(query.at("test"), "paired over 6 seeds, exact sign-flip test");
  EXPECT_EQ(query.at("sql"),
            "SELECT arm, seed, value FROM result WHERE name = 'held_out.excess' AND arm IN ('clm', "
            "'mlm') AND outcome = 'completed' ORDER BY arm, seed");
  const Json& difference = report.at(Json::json_pointer(query.at("values")[0].get<std::string>()));
  EXPECT_EQ(difference.at("arm"), "mlm");
  EXPECT_EQ(difference.at("metric"), "held_out.excess");
}

TEST(Statements, OfWhatWasNotMeasuredAreMarkedAsForecasts) {
  const store::Records records = with_gains(.2, .006);
  const std::vector<Statement> statements = answer_statements(analyse(records));
  ASSERT_EQ(statements.size(), 3u) << "the difference, the floor, the forecast";
  EXPECT_FALSE(statements[0].forecast);
  EXPECT_FALSE(statements[1].forecast);
  EXPECT_TRUE(statements[2].forecast);
  EXPECT_THAT(statements[2].text, StartsWith("Forecast: "));
  EXPECT_THAT(statements[2].query.arms, ElementsAre("mlm"));
}

TEST(Statements, QuoteNamesInSql) {
  store::Records records = small_records();
  records.plan["arms"][1]["name"] = "it's";
  for (store::TrialRecord& trial : records.trials)
    if (trial.arm == "mlm") trial.arm = "it's";
  EXPECT_THAT(answer_statements(analyse(records))[0].query.sql,
              HasSubstr("arm IN ('clm', 'it''s')"));
}

TEST(Statements, OfTrainingReadWhatWasMeasuredOnTheWay) {
  const Json findings = json_of(overtaking_records()).at("findings");
  EXPECT_THAT(findings.back().at("text").get<std::string>(), HasSubstr("in training"));
  EXPECT_THAT(findings.back().at("query").at("sql").get<std::string>(), HasSubstr("FROM dynamics"));
}

TEST(Statements, HaveFootnotesInMarkdown) {
  const std::string page = files_of(small_records()).at("report.md");
  EXPECT_THAT(page, HasSubstr("nats/target.**[^1]\n"));
  EXPECT_THAT(page,
              HasSubstr("\n[^1]: held_out.excess. Arms: clm, mlm. Seeds: 1, 2, 3, 4, 5, 6. "));
  EXPECT_THAT(page, HasSubstr("In report.json: `/differences/"));
  EXPECT_THAT(page, EndsWith("ORDER BY arm, seed`\n"));
}

}  // namespace
}  // namespace ablate::reports

// The two results of an experiment that was tuned, and what the report says about tuning.

#include "reports/analysis/tuning/tuning_record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/tables/tuning/tuning_tables.h"
#include "tests/reports/files.h"
#include "tests/reports/tuned_records.h"

namespace ablate::reports {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class TunedReport : public testing::Test {
 protected:
  double difference(const Analysis& analysis) const {
    return *analysis.difference("mlm", "held_out.excess")->over_seeds.mean;
  }

  std::vector<std::string> cells(const Row& row) const {
    std::vector<std::string> texts;
    for (const Cell& cell : row.cells) texts.push_back(cell.text);
    return texts;
  }

  store::Records records = tuned_records();
  Analysis own = analyse(records);
  Analysis common = analyse(records, Rates::common);
  TuningRecord record = tuning_record(own);
};

TEST_F(TunedReport, ComparesOwnRatesAsIfThereWereNoCopies) {
  const store::Records untuned = small_records();
  const Analysis expected = analyse(untuned);
  ASSERT_EQ(own.arms.size(), 2u);
  EXPECT_EQ(own.comparisons, expected.comparisons);
  EXPECT_EQ(difference(own), difference(expected));
  EXPECT_EQ(own.difference("mlm", "held_out.excess")->p_adjusted,
            expected.difference("mlm", "held_out.excess")->p_adjusted);
}

TEST_F(TunedReport, TakesTheCopyAtTheCommonRateUnderTheArmsName) {
  ASSERT_EQ(common.arms.size(), 2u);
  EXPECT_EQ(common.arms[1].name, "mlm");
  for (const store::TrialRecord* trial : common.arms[1].trials)
    EXPECT_EQ(trial->arm, "mlm[learning_rate=0.01]");
  for (const store::TrialRecord* trial : common.arms[0].trials)
    EXPECT_EQ(trial->arm, "clm") << "one trial serves both results";
  EXPECT_LT(difference(common), 0);
  EXPECT_GT(difference(own), 0);
}

TEST_F(TunedReport, FlagsAComparisonWhoseSignDiffersAndNoOther) {
  EXPECT_THAT(depend_on_tuning(own, common), ElementsAre("mlm"));
  EXPECT_THAT(depend_on_tuning(own, own), testing::IsEmpty());
  const std::string page = files_of(records).at("report.md");
  EXPECT_THAT(page, HasSubstr("Depends on tuning"));
  EXPECT_THAT(page, HasSubstr("Result at the common rate"));
  EXPECT_THAT(files_of(small_records()).at("report.md"), Not(HasSubstr("common rate")));
}

TEST_F(TunedReport, SaysWhichVerdictsChangeAtTheCommonRate) {
  EXPECT_THAT(changed_verdicts(own, common),
              ElementsAre("mlm: worse at its own rate, better at the common one"));
  EXPECT_THAT(changed_verdicts(own, own), testing::IsEmpty());
  EXPECT_THAT(files_of(records).at("report.md"),
              HasSubstr("Verdicts that change between the two: mlm: worse at its own rate"));
}

TEST_F(TunedReport, IsSensitiveByTheMeanLossAboveTheBestCappedAtTheBeginning) {
  // clm, seed 1: (2.99 + 1.99 + 3.99) / 3 - 1.99; mlm: its last rate counts as 5 with both seeds.
  EXPECT_NEAR(*rate_sensitivity(record, record.arms[0])->values[0], 1.0, 1e-12);
  EXPECT_NEAR(*rate_sensitivity(record, record.arms[1])->values[0], (2.49 + 3.49 + 5) / 3 - 2.49,
              1e-12);
  EXPECT_NEAR(*rate_sensitivity(record, record.arms[1])->values[1], (2.51 + 3.51 + 5) / 3 - 2.51,
              1e-12);
  record.criterion.better = Better::higher;
  EXPECT_FALSE(rate_sensitivity(record, record.arms[0]));
}

TEST_F(TunedReport, ShowsEveryRateWithTheChosenOneAndWhatDiverged) {
  const Table table = rates_table(record);
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(cells(table.rows[0]), (std::vector<std::string>{"clm", "3", "2 (chosen)", "4", ""}));
  EXPECT_EQ(cells(table.rows[1]),
            (std::vector<std::string>{"mlm", "2.5 (chosen)", "3.5", "1 diverged", ""}));
}

TEST_F(TunedReport, ExpectsTheMeanOfOneRateAndLessOfMore) {
  const Table table = expected_best_table(record);
  EXPECT_EQ(table.rows[0].cells[1].text, "3");
  EXPECT_EQ(table.rows[1].cells[1].text, "3.667") << "(2.5 + 3.5 + 5) / 3";
  EXPECT_EQ(table.notes.size(), 1u) << "losses of different objectives do not cross";
  record.criterion.comparable_across = Comparable::all_arms;
  EXPECT_THAT(expected_best_table(record).notes.back(), HasSubstr("No arm crosses clm"));
}

TEST_F(TunedReport, SaysWhereTheWinnerDependsOnHowManyRatesAreTried) {
  record.criterion.comparable_across = Comparable::all_arms;
  for (RateTried& tried : record.arms[1].tried) tried.values = estimate({2.6, 2.6});
  EXPECT_THAT(expected_best_table(record).notes.back(),
              HasSubstr("depends on the tuning budget: clm is crossed by mlm"));
}

TEST_F(TunedReport, CountsTheFlopsOfTuningApart) {
  const Table table = tuning_ledger_table(record, own, common);
  EXPECT_EQ(cells(table.rows[0]),
            (std::vector<std::string>{"clm", "6", "0", "6 G", "6 G", "the same trials"}));
  EXPECT_EQ(cells(table.rows[1]), (std::vector<std::string>{"mlm", "6", "1", "6 G", "6 G", "6 G"}));
  EXPECT_THAT(table.notes.front(), HasSubstr("12 G FLOPs for tuning and 18 G for the result"));
}

TEST_F(TunedReport, HasBothResultsForPrograms) {
  const Json json = Report(records).json();
  EXPECT_EQ(json.at("arms").size(), 2u);
  EXPECT_EQ(json.at("tuning").at("depends_on_tuning"), Json({"mlm"}));
  EXPECT_EQ(json.at("common_rate").at("differences").size(), json.at("differences").size());
  const store::Records untuned = small_records();
  EXPECT_FALSE(Report(untuned).json().contains("tuning"));
}

}  // namespace
}  // namespace ablate::reports

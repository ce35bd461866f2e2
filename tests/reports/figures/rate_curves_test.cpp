// The criterion of tuning by learning rate.

#include "reports/figures/rate_curves.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "reports/figures/sweeps/tuning_panels.h"
#include "tests/reports/files.h"
#include "tests/reports/tuned_records.h"

namespace ablate::reports {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

std::vector<std::string> panels_of_tuning(const store::Records& records) {
  const Analysis analysis = analyse(records);
  return rate_curves(tuning_record(analysis)).panels;
}

TEST(RateCurves, HasAPanelForEachArmWithItsChosenRate) {
  const auto panels = panels_of_tuning(tuned_records());
  ASSERT_THAT(panels, SizeIs(2));
  EXPECT_THAT(panels[0], HasSubstr(">held_out.loss of clm by learning rate</title>"));
  EXPECT_THAT(panels[0], HasSubstr("Chosen: 0.01. 0.001: 3. 0.01: 2. 0.1: 4."));
  EXPECT_THAT(panels[0], Not(HasSubstr("×")));
}

TEST(RateCurves, CrossesOutARateAtWhichATrialDiverged) {
  const auto panels = panels_of_tuning(tuned_records());
  EXPECT_THAT(panels[1], HasSubstr("0.1: diverged."));
  EXPECT_THAT(panels[1], HasSubstr(">×</text>"));
}

TEST(RateCurves, LeavesOutAnArmThatDivergedAtEveryRate) {
  store::Records records = tuned_records();
  for (Json& tried : records.plan["tuning"]["arms"][1]["tried"])
    for (Json& value : tried["values"]) value = nullptr;
  EXPECT_THAT(panels_of_tuning(records), SizeIs(1));
}

TEST(ExpectedBest, IsACurveForEachArmWhereValuesAreNotComparable) {
  const store::Records records = tuned_records();
  const Analysis analysis = analyse(records);
  TuningRecord record = tuning_record(analysis);
  const Figure figure = expected_best_figure(record, analysis);
  ASSERT_THAT(figure.panels, SizeIs(2));
  EXPECT_THAT(figure.panels[0], HasSubstr("clm at 1: 3. "));  // the mean of 3, 2 and 4
  record.criterion.comparable_across = Comparable::all_arms;
  EXPECT_THAT(expected_best_figure(record, analysis).panels, SizeIs(1));
}

TEST(ExpectedBest, AndRatesAreFiguresOfThePaperWithTheirNumbers) {
  std::set<std::string> names;
  for (const ReportFile& file : make_report(tuned_records(), {"tex"})) names.insert(file.name);
  for (const char* name : {"rates-1", "rates-2", "expected-best-1", "expected-best-2"})
    for (const char* end : {".tex", ".csv", ".svg", "-float.tex"})
      EXPECT_TRUE(names.contains(std::string("paper/figures/") + name + end)) << name << end;
}

}  // namespace
}  // namespace ablate::reports

// The criterion of tuning by learning rate.

#include "reports/figures/rate_curves.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/reports/files.h"
#include "tests/reports/found.h"
#include "tests/reports/tuned_records.h"

namespace ablate::reports {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

std::vector<std::string> panels_of_tuning(const store::Records& records) {
  const Analysis analysis = analyse(records);
  return drawings_of(rate_curves(tuning_record(analysis)));
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

/// The panels of what the best of n rates is expected to have.
std::vector<std::string> expected_best(const store::Records& records) {
  const Analysis own = analyse(records), common = analyse(records, Rates::common);
  return drawings_of(shown<Figure>(own, "expected-best", &common));
}

TEST(ExpectedBest, IsACurveForEachArmWhereValuesAreNotComparable) {
  store::Records records = tuned_records();
  const std::vector<std::string> panels = expected_best(records);
  ASSERT_THAT(panels, SizeIs(2));
  EXPECT_THAT(panels[0], HasSubstr("clm at 1: 3. "));  // the mean of 3, 2 and 4
  records.plan["tuning"]["criterion"]["comparable_across"] = "all arms";
  EXPECT_THAT(expected_best(records), SizeIs(1));
}

TEST(ExpectedBest, SaysInAPaperWhatItIs) {
  const store::Records records = tuned_records();
  const Analysis own = analyse(records), common = analyse(records, Rates::common);
  const Figure figure = shown<Figure>(own, "expected-best", &common);
  ASSERT_FALSE(figure.plots.empty());
  EXPECT_THAT(figure.plots[0].paper.caption, HasSubstr("is expected to have"));
  EXPECT_THAT(figure.plots[0].paper.caption, Not(HasSubstr("interval")));
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

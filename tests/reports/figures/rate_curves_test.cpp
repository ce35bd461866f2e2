// The criterion of tuning by learning rate.

#include "reports/figures/rate_curves.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/reports/tuned_records.h"

namespace ablate::reports {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

std::vector<std::string> panels_of_tuning(const store::Records& records) {
  const Analysis analysis = analyse(records);
  return rate_curves(tuning_record(records.plan, analysis)).panels;
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

}  // namespace
}  // namespace ablate::reports

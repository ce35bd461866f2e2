// Where the points of curves lie on each axis.

#include "reports/figures/curves/curve_axes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/reports/records.h"

namespace ablate::reports {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// clm's positions on an axis, where the ledgers of its trials are those given in turn.
std::vector<double> positions_on(std::size_t axis, const std::vector<Json>& ledgers) {
  store::Records records = small_records();
  std::size_t next = 0;
  for (store::TrialRecord& trial : records.trials)
    if (trial.arm == "clm") trial.ledger = ledgers[next++ % ledgers.size()];
  const Analysis analysis = analyse(records);
  return curve_positions(analysis.arms[0], {{0, 0}, {25, 4000}, {50, 8000}, {100, 16000}})[axis];
}

TEST(CurveAxes, ArePlacesOnEveryAxisOrNone) {
  const store::Records records = small_records();
  const Analysis analysis = analyse(records);
  const auto bands = curve_bands(analysis.arms[0]);
  const auto positions = curve_positions(analysis.arms[0], bands);
  ASSERT_EQ(positions.size(), curve_axes().size());
  for (const std::size_t axis : {0u, 1u, 2u}) EXPECT_EQ(positions[axis].size(), bands.size());
  EXPECT_THAT(positions[3], IsEmpty()) << "these ledgers have no FLOPs";
}

TEST(CurveAxes, TextTokensAndStepsAreThoseOfTheCurve) {
  EXPECT_THAT(positions_on(0, {Json::object()}), ElementsAre(0, 4000, 8000, 16000));
  EXPECT_THAT(positions_on(1, {Json::object()}), ElementsAre(0, 25, 50, 100));
}

TEST(CurveAxes, TotalsAreSpreadOverSteps) {
  EXPECT_THAT(positions_on(2, {{{"steps", 100}, {"targets", 800}}}), ElementsAre(0, 200, 400, 800));
}

TEST(CurveAxes, TotalsOfPhasesAreSpreadOverTheStepsOfEach) {
  const Json phases = {{{"steps", 50}, {"flops", 100}}, {{"steps", 50}, {"flops", 700}}};
  EXPECT_THAT(positions_on(3, {{{"steps", 100}, {"flops", 800}, {"phases", phases}}}),
              ElementsAre(0, 50, 100, 800));
}

TEST(CurveAxes, SecondsAreNotThoseOfPhasesWhichHaveNone) {
  const Json phases = {{{"steps", 50}, {"flops", 100}}, {{"steps", 50}, {"flops", 700}}};
  EXPECT_THAT(positions_on(4, {{{"steps", 100}, {"seconds", 8}, {"phases", phases}}}),
              ElementsAre(0, 2, 4, 8));
}

TEST(CurveAxes, AreTheMeanOverTrialsThatHaveTheTotal) {
  EXPECT_THAT(
      positions_on(4, {{{"steps", 100}, {"seconds", 4}}, {{"steps", 100}, {"seconds", 12}}}),
      ElementsAre(0, 2, 4, 8));
  EXPECT_THAT(positions_on(4, {{{"steps", 100}, {"seconds", 4}}, Json()}), ElementsAre(0, 1, 2, 4));
}

TEST(CurveAxes, AreEmptyWhereALedgerHasNoNumbers) {
  for (const Json& ledger : {Json(), Json::object(), Json{{"steps", "many"}, {"flops", 1}},
                             Json{{"steps", 0}, {"flops", 1}}, Json{{"steps", 9}, {"flops", "1"}}})
    EXPECT_THAT(positions_on(3, {ledger}), IsEmpty()) << ledger;
}

}  // namespace
}  // namespace ablate::reports

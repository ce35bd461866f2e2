// Metrics by the number that arms sweep over.

#include "reports/figures/sweeps/sweep_panels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

#include "tests/reports/files.h"
#include "tests/reports/found.h"
#include "tests/reports/sweeps.h"

namespace ablate::reports {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

std::vector<std::string> panels_of_sweep(const store::Records& records) {
  const Analysis analysis = analyse(records);
  return drawings_of(shown<Figure>(analysis, "sweep"));
}

/// The points of the first drawing of a class: "x,y x,y".
std::vector<std::pair<double, double>> points_of(const std::string& panel, const char* drawn) {
  std::smatch found;
  const std::regex shape("class=\"" + std::string(drawn) + " [^\"]*\" points=\"([^\"]*)\"");
  std::vector<std::pair<double, double>> points;
  if (!std::regex_search(panel, found, shape)) return points;
  const std::string text = found[1];
  const std::regex point("([-0-9.]+),([-0-9.]+)");
  for (auto at = std::sregex_iterator(text.begin(), text.end(), point);
       at != std::sregex_iterator(); ++at)
    points.emplace_back(std::stod((*at)[1]), std::stod((*at)[2]));
  return points;
}

TEST(SweepPlot, HasAPanelForEachHeadlineMetric) {
  const auto panels = panels_of_sweep(with_sweep("mlm", {.15, .3, .5}));
  ASSERT_THAT(panels, SizeIs(2)) << "the excess, and the accuracy";
  EXPECT_THAT(panels[0], HasSubstr(">held_out.excess by objective.rate</title>"));
  EXPECT_THAT(panels[0], HasSubstr("mlm at 0.15: 0.520 ± 0.020. mlm at 0.3: 0.505 ± 0.020."));
  EXPECT_THAT(panels[0], HasSubstr(">clm (baseline)</text>"));
}

TEST(SweepPlot, DrawsMeansInOrderWithinTheirBand) {
  const std::string panel = panels_of_sweep(with_sweep("mlm", {.5, .15, .3}))[0];
  const auto means = points_of(panel, "curve"), band = points_of(panel, "band");
  ASSERT_THAT(means, SizeIs(3));
  ASSERT_THAT(band, SizeIs(6));
  EXPECT_NEAR((means[1].first - means[0].first) / (means[2].first - means[0].first), .15 / .35,
              .01);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(band[i].first, means[i].first);
    EXPECT_GT(band[i].second, means[i].second) << "low values are far down";
    EXPECT_LT(band[5 - i].second, means[i].second);
  }
}

TEST(SweepPlot, HasALogarithmicAxisOverMoreThanADecade) {
  const std::string wide = panels_of_sweep(with_sweep("mlm", {.01, .1, 1}))[0];
  EXPECT_THAT(wide, HasSubstr("objective.rate (logarithmic)"));
  const auto means = points_of(wide, "curve");
  EXPECT_NEAR(means[1].first - means[0].first, means[2].first - means[1].first, .2);
  EXPECT_THAT(panels_of_sweep(with_sweep("mlm", {.1, .5}))[0], Not(HasSubstr("logarithmic")));
  EXPECT_THAT(panels_of_sweep(with_sweep("mlm", {0, .01, 1}))[0], Not(HasSubstr("logarithmic")));
}

TEST(SweepPlot, MarksABaselineThatIsPartOfTheSweep) {
  store::Records records = with_sweep("mlm", {.15, .3, .5});
  EXPECT_THAT(panels_of_sweep(records)[0], Not(HasSubstr("class=\"reference\"")));
  records.plan["arms"][0]["baseline"] = false;
  records.plan["arms"][3]["baseline"] = true;
  const std::string panel = panels_of_sweep(records)[0];
  EXPECT_THAT(panel, HasSubstr("class=\"reference\""));
  EXPECT_THAT(panel, HasSubstr("mlm at 0.3, the baseline: 0.505 ± 0.020."));
  EXPECT_THAT(panel, HasSubstr(">mlm[rate=0.3] (baseline)</text>"));
}

TEST(SweepPlot, GivesEachFamilyAColourOfItsOwn) {
  store::Records records = with_sweep("mlm", {.1, .15, .2, .3, .5, .6, .8});
  const store::Records others = with_sweep("fim", {.15, .3});
  for (std::size_t i = 2; i < others.plan["arms"].size(); ++i) {
    const Json& arm = others.plan["arms"][i];
    records.plan["arms"].push_back(arm);
    records.plan["metrics"][arm["name"].get<std::string>()] = small_metrics();
  }
  for (const store::TrialRecord& trial : others.trials)
    if (trial.arm.starts_with("fim")) records.trials.push_back(trial);
  const std::string panel = panels_of_sweep(records)[0];
  EXPECT_THAT(panel, HasSubstr("class=\"curve c0 d0\""));
  EXPECT_THAT(panel, HasSubstr("class=\"curve c1 d1\"")) << "though seven arms stand before it";
}

TEST(SweepPlot, DrawsNoValuesThatMayNotBeCompared) {
  store::Records records = with_sweep("mlm", {.15, .3});
  records.plan["analysis"]["primary"] = "held_out.loss";  // of the same setting only
  for (const std::string& panel : panels_of_sweep(records))
    EXPECT_THAT(panel, Not(HasSubstr("held_out.loss")));
}

TEST(SweepPlot, IsNotDrawnOfStringsOrOfArmsWithoutRecords) {
  store::Records records = with_sweep("mlm", {.15, .3});
  for (store::TrialRecord& trial : records.trials)
    if (trial.arm == "mlm[rate=0.3]") trial.outcome = "unfinished";
  EXPECT_THAT(panels_of_sweep(records), IsEmpty()) << "one point is no line";
  records = with_sweep("mlm", {.15, .3});
  records.plan["arms"][2]["config"]["objective"]["rate"] = "low";
  records.plan["arms"][3]["config"]["objective"]["rate"] = "high";
  EXPECT_THAT(panels_of_sweep(records), IsEmpty());
}

TEST(SweepPlot, IsPartOfThePageAndAFile) {
  const auto files = files_of(with_sweep("mlm", {.15, .3}));
  EXPECT_THAT(files.at("report.html"), HasSubstr("held_out.excess by objective.rate"));
  EXPECT_THAT(files.at("figure-sweep-1.svg"), HasSubstr("held_out.excess by objective.rate"));
}

}  // namespace
}  // namespace ablate::reports

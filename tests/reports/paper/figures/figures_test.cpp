// The drawings of a paper: what the CSV says is what is drawn, and it can be printed in grey.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <regex>

#include "reports/figures/curves.h"
#include "reports/figures/forest.h"
#include "reports/figures/seed_lines.h"
#include "reports/paper/figures/pgfplots.h"
#include "reports/paper/preamble.h"
#include "tests/reports/found.h"
#include "tests/reports/sweeps.h"

namespace ablate::reports {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

std::ptrdiff_t count_in(const std::string& text, const std::string& pattern) {
  const std::regex what(pattern);
  return std::distance(std::sregex_iterator(text.begin(), text.end(), what),
                       std::sregex_iterator());
}

Plot forest_of(const store::Records& records) { return forest_plot(analyse(records)).plots.at(0); }

TEST(ForestFigure, HasARowForEachDifferenceAndTheSmallestEffectAsABand) {
  store::Records records = with_sweep("mlm", {.15, .3});
  EXPECT_EQ(pgfplots(forest_of(records), {}).find("ablate margin"), std::string::npos);
  records.plan["analysis"]["smallest_effect"] = 0.02;
  const Plot forest = forest_of(records);
  const std::string tex = pgfplots(forest, {});
  EXPECT_THAT(tex, HasSubstr("\\addplot[ablate margin] coordinates {(-0.02,0.4)(0.02,0.4)"));
  EXPECT_EQ(count_in(tex, R"(\\node\[)"), 3);
  EXPECT_EQ(count_in(forest.paper.csv, "\r\n"), 4) << "with its header";
  EXPECT_THAT(tex, HasSubstr("yticklabels={{mlm},{mlm\\lbrack{}rate=0.15\\rbrack{}},"));
  EXPECT_EQ(forest.towards_low, "← better");
  EXPECT_THAT(forest.paper.caption, HasSubstr("Left of 0 is better."));
}

TEST(ForestFigure, IntervalsOfAllComparisonsTogetherAreWider) {
  const store::Records records = with_sweep("mlm", {.15, .3});
  const std::string csv = forest_of(records).paper.csv;
  const std::regex row(R"(mlm,clm,held_out.excess,([^,]*),([^,]*),([^,]*),([^,]*),([^,]*),6,)");
  std::smatch found;
  ASSERT_TRUE(std::regex_search(csv, found, row)) << csv;
  EXPECT_LT(std::stod(found[4]), std::stod(found[2]));
  EXPECT_GT(std::stod(found[5]), std::stod(found[3]));
  EXPECT_NEAR(std::stod(found[1]), .502, .001);
}

TEST(ForestFigure, IsNotDrawnWithoutADifference) {
  store::Records records = small_records();
  records.plan["analysis"]["primary"] = "held_out.loss";
  EXPECT_THAT(forest_plot(analyse(records)).plots, IsEmpty()) << "not comparable";
}

TEST(CurveFigures, AreThinnedAndHaveOneDrawingForEachObjective) {
  store::Records records = small_records();
  for (store::TrialRecord& trial : records.trials) {
    std::vector<store::CurvePoint> curve;
    for (int step = 0; step < 5000; ++step)
      curve.push_back({step, step * 16.0, 4 - step * 1e-4 + .01 * double(trial.seed)});
    trial.curve = curve;
  }
  const std::vector<Plot> plots = training_curves(analyse(records)).plots;
  ASSERT_EQ(plots.size(), 2u);
  const std::ptrdiff_t points = count_in(plots[0].paper.csv, "\r\n") - 1;
  EXPECT_LE(points, 201);
  EXPECT_GE(points, 100);
  EXPECT_THAT(plots[0].paper.csv, HasSubstr("clm,79984,")) << "the last point stays";
  EXPECT_THAT(pgfplots(plots[0], {}), HasSubstr("{optimum}"));
}

TEST(DoseFigures, TakeTheNumberFromTheSettingsAndMarkTheValues) {
  const store::Records without = small_records(), records = with_sweep("mlm", {.15, .3, 1.6});
  EXPECT_THAT(plots_of(analyse(without), "dose"), IsEmpty());
  const Analysis analysis = analyse(records);
  const std::vector<Plot> plots = plots_of(analysis, "dose");
  ASSERT_FALSE(plots.empty());
  const std::string tex = pgfplots(plots[0], {});
  EXPECT_THAT(plots[0].paper.csv,
              HasSubstr("mlm,mlm[rate=0.15],objective.rate,0.15,held_out.excess,"));
  EXPECT_THAT(tex, HasSubstr("xtick={0.15,0.3,1.6}"));
  EXPECT_THAT(tex, HasSubstr("xmode=log"));
}

TEST(SeedFigure, JoinsTheTrialsOfASeedAndLeavesManySeedsOut) {
  store::Records records = small_records();
  const Plot plot = seed_lines(analyse(records)).plots.at(0);
  const std::string tex = pgfplots(plot, {});
  EXPECT_EQ(count_in(tex, "ablate seed"), 6);
  EXPECT_THAT(tex, HasSubstr("coordinates {(1,0.21)(2,0.7)};\n"));
  EXPECT_THAT(plot.paper.csv, HasSubstr("1,clm,held_out.excess,0.21\r\n"));
  for (std::int64_t seed = 7; seed <= 13; ++seed)
    records.trials.push_back(small_trial("clm", seed, .2));
  EXPECT_THAT(seed_lines(analyse(records)).plots, IsEmpty());
}

/// The lightness L* (CIE 1976) of a colour, 0 to 100.
double lightness(unsigned rgb) {
  const auto linear = [&](unsigned shift) {
    const double part = ((rgb >> shift) & 0xFFu) / 255.0;
    return part <= .04045 ? part / 12.92 : std::pow((part + .055) / 1.055, 2.4);
  };
  const double y = .2126 * linear(16) + .7152 * linear(8) + .0722 * linear(0);
  return y > .008856 ? 116 * std::cbrt(y) - 16 : 903.3 * y;
}

TEST(Colours, OfNeighboursDifferInGrey) {
  const std::string preamble_text = preamble();
  const std::regex series(R"(ablate series \d/.style=\{ablate line, (\w+))");
  std::vector<double> greys;
  for (auto at = std::sregex_iterator(preamble_text.begin(), preamble_text.end(), series);
       at != std::sregex_iterator(); ++at) {
    std::smatch colour;
    const std::regex definition("definecolor\\{" + (*at)[1].str() + R"(\}\{HTML\}\{(\w+)\})");
    ASSERT_TRUE(std::regex_search(preamble_text, colour, definition)) << (*at)[1];
    greys.push_back(lightness(static_cast<unsigned>(std::stoul(colour[1], nullptr, 16))));
  }
  ASSERT_EQ(greys.size(), 6u);
  for (std::size_t i = 0; i < greys.size(); ++i)
    EXPECT_GE(std::abs(greys[i] - greys[(i + 1) % greys.size()]), 15) << "series " << i + 1;
}

}  // namespace
}  // namespace ablate::reports

// Scales and ticks.

#include "reports/figures/svg.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace ablate::reports {
namespace {

using testing::ElementsAre;

std::string drawn(double x, const std::string& text) {
  Svg svg("id", 100, 50, "title", "description");
  svg.text({x, 20}, Anchor::middle, "tick", text);
  return svg.str();
}

TEST(SvgText, IsMovedInsideAndSqueezedWhereItIsTooWide) {
  EXPECT_THAT(drawn(50, "200 k"),
              testing::HasSubstr("x=\"50\" y=\"20\" text-anchor=\"middle\">200 k<"));
  EXPECT_THAT(drawn(98, "200 k"), testing::HasSubstr("x=\"84.5\""));
  EXPECT_THAT(drawn(1, "200 k"), testing::HasSubstr("x=\"15.5\""));
  EXPECT_THAT(drawn(20, std::string(40, 'a')),
              testing::HasSubstr("x=\"50\" y=\"20\" text-anchor=\"middle\" textLength=\"100\""));
}

TEST(WideScale, IsLogarithmicOverMoreThanADecadeOfPositiveValues) {
  const auto logarithmic = [](std::vector<double> values) {
    return wide_scale_over(values, 0, 100, 0).logarithmic;
  };
  EXPECT_TRUE(logarithmic({.1, .01, 1}));
  EXPECT_FALSE(logarithmic({.1, 1})) << "exactly one decade";
  EXPECT_FALSE(logarithmic({0, .01, 100}));
  EXPECT_FALSE(logarithmic({-1, 100}));
  EXPECT_FALSE(logarithmic({}));
  EXPECT_FALSE(logarithmic({1, HUGE_VAL}));
}

TEST(WideScale, PutsEqualFactorsAtEqualDistances) {
  const Scale scale = wide_scale_over({1, 100}, 10, 210, 0);
  EXPECT_NEAR(scale(1), 10, 1e-9);
  EXPECT_NEAR(scale(10), 110, 1e-9);
  EXPECT_NEAR(scale(100), 210, 1e-9);
}

TEST(WideScale, PutsEqualDifferencesAtEqualDistancesWithinADecade) {
  const Scale scale = wide_scale_over({2, 6}, 10, 210, 0);
  EXPECT_NEAR(scale(2), 10, 1e-9);
  EXPECT_NEAR(scale(4), 110, 1e-9);
}

TEST(WideScale, LeavesTheMarginThatIsAskedForOnBothSides) {
  for (const std::vector<double>& values : {std::vector<double>{1, 5}, {1, 1000}}) {
    const Scale scale = wide_scale_over(values, 0, 110, .05);
    EXPECT_NEAR(scale(values[0]), 5, 1e-9);
    EXPECT_NEAR(scale(values[1]), 105, 1e-9);
  }
}

TEST(TickText, WritesThousandsWithAPrefix) {
  const std::vector<double> marks = {0, 2000, 4000};
  std::vector<std::string> texts;
  for (const double mark : marks) texts.push_back(tick_text(mark, marks));
  EXPECT_THAT(texts, ElementsAre("0", "2 k", "4 k"));
}

}  // namespace
}  // namespace ablate::reports

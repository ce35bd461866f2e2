// Scales and ticks.

#include "reports/figures/svg.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace ablate::reports {
namespace {

using testing::ElementsAre;

std::string drawn(double x, const std::string& text) {
  Svg svg("id", {100, 50}, "title", "description");
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

TEST(SpansADecade, NeedsPositiveValuesOfWhichOneIsMoreThanTenTimesAnother) {
  EXPECT_TRUE(spans_a_decade({.1, .01, 1}));
  EXPECT_FALSE(spans_a_decade({.1, 1})) << "exactly one decade";
  EXPECT_FALSE(spans_a_decade({0, .01, 100}));
  EXPECT_FALSE(spans_a_decade({-1, 100}));
  EXPECT_FALSE(spans_a_decade({}));
  EXPECT_FALSE(spans_a_decade({1, HUGE_VAL}));
}

TEST(LogarithmicScale, PutsEqualFactorsAtEqualDistances) {
  const Scale scale = logarithmic_scale_over({1, 100}, 10, 210, 0);
  EXPECT_NEAR(scale(1), 10, 1e-9);
  EXPECT_NEAR(scale(10), 110, 1e-9);
  EXPECT_NEAR(scale(100), 210, 1e-9);
}

TEST(LogarithmicScale, IsLinearOverWhatHasNoLogarithmOrIsOneValue) {
  EXPECT_FALSE(logarithmic_scale_over({0, 1}, 0, 1, 0).logarithmic);
  EXPECT_FALSE(logarithmic_scale_over({2, 2}, 0, 1, 0).logarithmic);
  EXPECT_FALSE(logarithmic_scale_over({}, 0, 1, 0).logarithmic);
}

TEST(Scales, LeaveTheMarginThatIsAskedForOnBothSides) {
  const Scale linear = scale_over({1, 5}, 0, 110, .05);
  const Scale wide = logarithmic_scale_over({1, 1000}, 0, 110, .05);
  EXPECT_NEAR(linear(1), 5, 1e-9);
  EXPECT_NEAR(linear(5), 105, 1e-9);
  EXPECT_NEAR(wide(1), 5, 1e-9);
  EXPECT_NEAR(wide(1000), 105, 1e-9);
}

TEST(Sparkline, TakesTwoValuesAndStaysInItsBox) {
  EXPECT_EQ(sparkline({}), "");
  EXPECT_EQ(sparkline({1}), "");
  EXPECT_THAT(sparkline({1, 2}), testing::HasSubstr("points=\"2,16 94,2\""));
  EXPECT_THAT(sparkline({1, 1, 1}), testing::HasSubstr("<circle")) << "equal values, too";
}

TEST(TickText, WritesThousandsWithAPrefix) {
  const std::vector<double> marks = {0, 2000, 4000};
  std::vector<std::string> texts;
  for (const double mark : marks) texts.push_back(tick_text(mark, marks));
  EXPECT_THAT(texts, ElementsAre("0", "2 k", "4 k"));
}

}  // namespace
}  // namespace ablate::reports

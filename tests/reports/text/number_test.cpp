// Rounding numbers to the digits that the interval supports.

#include "reports/text/number.h"

#include <gtest/gtest.h>

#include <cmath>

namespace ablate::reports {
namespace {

std::string shown(double mean, double half_width) {
  return rounded(mean, statistics::Interval{mean - half_width, mean + half_width}).text();
}

TEST(Rounded, ShowsTwoDigitsOfTheHalfWidth) {
  EXPECT_EQ(shown(1.23456, .0213), "1.235 ± 0.021");
  EXPECT_EQ(shown(-0.5, .25), "-0.50 ± 0.25");
  EXPECT_EQ(shown(123.456, 7.89), "123.5 ± 7.9");
  EXPECT_EQ(shown(12345.6, 789), "12346 ± 789");
  EXPECT_EQ(shown(1.23456, .0996), "1.23 ± 0.10");  // rounding up makes a digit
}

TEST(Rounded, NeverShowsMinusZero) { EXPECT_EQ(shown(-0.001, .25), "0.00 ± 0.25"); }

TEST(Rounded, TakesRoundingNoiseForNoSpread) {
  EXPECT_EQ(shown(2.34567891, 1e-15), "2.346 ± 0");
  EXPECT_EQ(shown(0, 0), "0 ± 0");
}

TEST(Rounded, StaysShortForHugeAndTinyNumbers) {
  EXPECT_EQ(shown(1e300, 1e299), "1e+300 ± 1e+299");
  EXPECT_LT(shown(1e-30, 1e-31).size(), 40);
  EXPECT_EQ(rounded(1.5, std::nullopt).text(), "1.5");
}

TEST(Rounded, TheShownMeanIsWithinHalfAUnitOfTheLastDigit) {
  for (const double half_width : {3e-5, .0021, .4, 2.5, 99.0}) {
    for (double mean = -3; mean < 3; mean += .1234567) {
      const Rounded number =
          rounded(mean, statistics::Interval{mean - half_width, mean + half_width});
      EXPECT_NEAR(std::stod(number.mean), mean, .051 * std::max(half_width, 1.0));
      EXPECT_NEAR(std::stod(number.half_width), half_width, .051 * half_width);
    }
  }
}

std::string in_paper(double mean, double half_width) {
  return paper_rounded(mean, statistics::Interval{mean - half_width, mean + half_width}).text();
}

TEST(PaperRounded, ShowsOneDigitOrTwoWhereTheHalfWidthBeginsWithOneOrTwo) {
  EXPECT_EQ(in_paper(1.23456, .0213), "1.235 ± 0.021");
  EXPECT_EQ(in_paper(1.23456, .0123), "1.235 ± 0.012");
  EXPECT_EQ(in_paper(1.23456, .0313), "1.23 ± 0.03");
  EXPECT_EQ(in_paper(-0.5, .25), "-0.50 ± 0.25");
  EXPECT_EQ(in_paper(123.456, 7.89), "123 ± 8");
  EXPECT_EQ(in_paper(12345.6, 789), "12346 ± 789") << "no digit before the point is dropped";
}

TEST(PaperRounded, CountsTheDigitsOfTheRoundedHalfWidth) {
  EXPECT_EQ(in_paper(1.23456, .0296), "1.23 ± 0.03");
  EXPECT_EQ(in_paper(1.23456, .0962), "1.23 ± 0.10");
  EXPECT_EQ(in_paper(5.4321, .97), "5.4 ± 1.0");
}

TEST(PaperRounded, GivesConstantsNoHalfWidth) {
  EXPECT_EQ(in_paper(2.34567891, 1e-15), "2.346");
  EXPECT_EQ(in_paper(0, 0), "0");
  EXPECT_EQ(paper_rounded(1.5, std::nullopt).text(), "1.5");
}

TEST(Significant, IsShort) {
  EXPECT_EQ(significant(3.14159, 3), "3.14");
  EXPECT_EQ(significant(0), "0");
  EXPECT_EQ(significant(NAN), "nan");
  EXPECT_EQ(significant(-HUGE_VAL), "-inf");
}

TEST(Amount, HasAPrefix) {
  EXPECT_EQ(amount(812), "812");
  EXPECT_EQ(amount(1e6), "1 M");
  EXPECT_EQ(amount(26400), "26.4 k");
  EXPECT_EQ(amount(999600), "1 M");
}

TEST(PText, NeverSaysZero) {
  EXPECT_EQ(p_text(.03125), "0.031");
  EXPECT_EQ(p_text(.0498), "0.0498") << "below .05, and it shows";
  EXPECT_EQ(p_text(.04999), "0.04999");
  EXPECT_EQ(p_text(.05), "0.05");
  EXPECT_EQ(p_text(.0502), "0.05");
  EXPECT_EQ(p_text(1), "1");
  EXPECT_EQ(p_text(1e-7), "<0.001");
}

}  // namespace
}  // namespace ablate::reports

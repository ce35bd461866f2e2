#include "harness/base/number_text.h"

#include <gtest/gtest.h>

#include <cmath>

namespace ablate {
namespace {

TEST(NumberText, IsShort) {
  EXPECT_EQ(short_number(999), "999");
  EXPECT_EQ(short_number(999.7), "1.00k");
  EXPECT_EQ(short_number(17345), "17.3k");
  EXPECT_EQ(short_number(1.25e6), "1.25M");
  EXPECT_EQ(duration_text(42), "42 s");
  EXPECT_EQ(duration_text(185), "3 min 05 s");
  EXPECT_EQ(duration_text(2 * 3600 + 7 * 60), "2 h 07 min");
  EXPECT_EQ(duration_text(INFINITY), "unknown");
}

TEST(NumberText, KeepsSignificantDigitsAndDropsTrailingZeros) {
  EXPECT_EQ(significant(0.03120, 4), "0.0312");
  EXPECT_EQ(significant(1234567, 4), "1.235e+06");
  EXPECT_EQ(significant(782, 6), "782");
  EXPECT_EQ(significant(0, 4), "0");
}

TEST(NumberText, GivesWholeNumbersInFull) {
  EXPECT_EQ(plain_number(1048576), "1048576");
  EXPECT_EQ(plain_number(-1234567), "-1234567");
  EXPECT_EQ(plain_number(999999999), "999999999");
  EXPECT_EQ(plain_number(1e9), "1e+09");
  EXPECT_EQ(plain_number(0.9), "0.9");
  EXPECT_EQ(plain_number(0), "0");
  EXPECT_EQ(plain_number(INFINITY), "inf");
  EXPECT_EQ(plain_number(NAN), "nan");
}

TEST(NumberText, RoundsAnEstimateUp) {
  EXPECT_EQ(estimate_text(0), "0 s");
  EXPECT_EQ(estimate_text(79.2), "80 s");
  EXPECT_EQ(estimate_text(90), "2 min");
  EXPECT_EQ(estimate_text(5399), "90 min");
  EXPECT_EQ(estimate_text(5400), "1.5 h");
  EXPECT_EQ(estimate_text(5401), "1.6 h");
}

}  // namespace
}  // namespace ablate

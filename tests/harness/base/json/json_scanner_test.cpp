#include "harness/base/json/json_scanner.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>
#include <string>

#include "harness/base/json/json.h"

namespace ablate {
namespace {

/// Whether a text is, from begin to end, a number that `Number` can hold.
template <class Number>
bool is_number(std::string_view text) {
  JsonScanner scan(text);
  Number number{};
  return scan.takes_number(number) && scan.done();
}

// The law: what is taken is what JSON says, bit for bit.
TEST(JsonScanner, TakesTheNumbersThatJsonHas) {
  std::mt19937_64 random(7);
  for (int drawn = 0; drawn < 10000; ++drawn) {
    const double number = std::bit_cast<double>(random());
    if (!std::isfinite(number) || std::fpclassify(number) == FP_SUBNORMAL) continue;
    const std::string text = Json(number).dump();
    JsonScanner scan(text);
    double taken = 0;
    ASSERT_TRUE(scan.takes_number(taken) && scan.done()) << text;
    ASSERT_EQ(std::bit_cast<std::uint64_t>(taken), std::bit_cast<std::uint64_t>(number)) << text;
  }
  for (const char* const number :
       {"0", "-0", "7", "-12", "0.5", "-0.5", "1e5", "1E+5", "2.5e-3", "18446744073709551616"})
    EXPECT_TRUE(is_number<double>(number)) << number;
  for (const char* const number : {"0", "-0", "7", "-12", "9223372036854775807"})
    EXPECT_TRUE(is_number<std::int64_t>(number)) << number;
}

TEST(JsonScanner, RefusesOtherNumbers) {
  for (const char* const other :
       {"",         "-",     "+1",     "01",  "-01",  "00",   ".5",   "-.5",
        "1.",       "1.e5",  "1e",     "1e+", "0x10", "inf",  "-inf", "nan",
        "infinity", "1e999", "-1e999", " 1",  "1 ",   "\"1\""}) {
    EXPECT_FALSE(is_number<double>(other)) << other;
    EXPECT_FALSE(is_number<std::int64_t>(other)) << other;
  }
  for (const char* const other : {"1.0", "1e3", "9223372036854775808"})
    EXPECT_FALSE(is_number<std::int64_t>(other)) << other;
}

TEST(JsonScanner, StopsWhereANumberEnds) {
  JsonScanner scan("12,-3.5]");
  std::int64_t first = 0;
  double second = 0;
  EXPECT_TRUE(scan.takes_number(first) && scan.takes(",") && scan.takes_number(second));
  EXPECT_EQ(first, 12);
  EXPECT_EQ(second, -3.5);
  EXPECT_EQ(scan.position(), 7u);
  EXPECT_FALSE(scan.takes("]]"));
  EXPECT_TRUE(scan.takes("]") && scan.done());
}

TEST(JsonScanner, TakesPlainTextsAndRefusesOthers) {
  const auto text_in = [](std::string_view json) {
    JsonScanner scan(json);
    std::string_view text;
    return scan.takes_text(text) && scan.done() ? std::string(text) : "refused";
  };
  EXPECT_EQ(text_in(R"("2026-01-01T00:00:00Z")"), "2026-01-01T00:00:00Z");
  EXPECT_EQ(text_in(R"("")"), "");
  for (const char* const other :
       {"", "\"", "\"a", "a\"", R"("a\"b")", R"("\u0041")", "\"\xc3\xa4\"", "\"a\nb\"", "\"\x7f\""})
    EXPECT_EQ(text_in(other), "refused") << other;
}

// Letters are looked at eight at a time: the law holds for every letter at every place.
TEST(JsonScanner, LooksAtEveryLetter) {
  for (int letter = 0; letter < 256; ++letter)
    for (std::size_t place = 0; place < 20; ++place) {
      std::string text = "twenty letters, 12345", number = "12345678901234567890";
      text[place] = number[place] = static_cast<char>(letter);
      const bool plain = letter >= ' ' && letter <= '~' && letter != '"' && letter != '\\';
      std::string_view taken, exponent;
      const std::string quoted = '"' + text + '"';
      JsonScanner of_text(quoted), of_number(number);
      ASSERT_EQ(of_text.takes_text(taken) && taken == text, plain) << letter << " at " << place;
      const bool digit = letter >= '0' && letter <= '9';
      ASSERT_EQ(of_number.takes_number(taken, exponent) && of_number.done(),
                (digit && (place > 0 || letter != '0')) || (place == 0 && letter == '-') ||
                    (place > 0 && place < 19 && (letter == '.' || letter == 'e' || letter == 'E')))
          << letter << " at " << place;
    }
}

TEST(JsonScanner, TellsTheExponent) {
  for (const auto& [text, expected] : {std::pair("12", ""),
                                       {"-1.5", ""},
                                       {"1e-05", "e-05"},
                                       {"2.25E+7", "E+7"},
                                       {"12345678.12345678e12", "e12"}}) {
    JsonScanner scan(text);
    std::string_view number, exponent;
    EXPECT_TRUE(scan.takes_number(number, exponent) && scan.done()) << text;
    EXPECT_EQ(number, text);
    EXPECT_EQ(exponent, expected) << text;
  }
}

TEST(JsonScanner, TakesTruthValues) {
  for (const bool expected : {false, true}) {
    JsonScanner scan(expected ? "true" : "false");
    bool value = !expected;
    EXPECT_TRUE(scan.takes_bool(value) && scan.done());
    EXPECT_EQ(value, expected);
  }
  for (const char* const other : {"", "t", "True", "1", "null"}) {
    JsonScanner scan(other);
    bool value = false;
    EXPECT_FALSE(scan.takes_bool(value)) << other;
  }
}

}  // namespace
}  // namespace ablate

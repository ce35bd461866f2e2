#include "harness/base/utf8.h"

#include <gtest/gtest.h>

namespace ablate {
namespace {

/// The UTF-8 of a code point below 0x200000, valid or not.
std::string encoded(unsigned point) {
  const auto byte = [](unsigned value) { return static_cast<char>(value); };
  if (point < 0x80) return {byte(point)};
  if (point < 0x800) return {byte(0xC0 | point >> 6), byte(0x80 | (point & 63))};
  if (point < 0x10000)
    return {byte(0xE0 | point >> 12), byte(0x80 | (point >> 6 & 63)), byte(0x80 | (point & 63))};
  return {byte(0xF0 | point >> 18), byte(0x80 | (point >> 12 & 63)), byte(0x80 | (point >> 6 & 63)),
          byte(0x80 | (point & 63))};
}

TEST(Utf8, KnowsEveryCodePointAndNoSurrogate) {
  for (unsigned point = 0; point < 0x120000; ++point) {
    const std::string text = encoded(point);
    const bool valid = point < 0x110000 && (point < 0xD800 || point > 0xDFFF);
    ASSERT_EQ(utf8_length(text), valid ? text.size() : 0) << point;
    ASSERT_EQ(utf8_length(text + "\x80" + "b"), valid ? text.size() : 0) << point;
    ASSERT_EQ(utf8_length(text.substr(0, text.size() - 1)), 0u) << point << ", cut off";
  }
}

TEST(Utf8, RefusesOverlongFormsAndStrayBytes) {
  for (const char* text :
       {"\x80", "\xBF", "\xC0\x80", "\xC1\xBF", "\xE0\x80\x80", "\xE0\x9F\xBF", "\xF0\x80\x80\x80",
        "\xF0\x8F\xBF\xBF", "\xF5\x80\x80\x80", "\xF8\x88\x80\x80\x80", "\xFE", "\xFF", "\xC3(",
        "\xE2\x82(", "\xF0\x9F\x98("}) {
    EXPECT_EQ(utf8_length(text), 0u) << testing::PrintToString(text);
    EXPECT_EQ(first_invalid_utf8("a\xC3\xBC" + std::string(text) + "z"), 3u)
        << testing::PrintToString(text);
  }
}

TEST(Utf8, FindsNothingInvalidInText) {
  EXPECT_EQ(first_invalid_utf8(""), std::string_view::npos);
  EXPECT_EQ(first_invalid_utf8(std::string_view("a\0b", 3)), std::string_view::npos);
  EXPECT_EQ(first_invalid_utf8("Zürich 서울 😀"), std::string_view::npos);
  EXPECT_EQ(first_invalid_utf8("Zürich \xEC\x84"), 8u) << "cut off at the end";
}

TEST(Utf8, KnowsWhatControlsATerminal) {
  for (const std::string_view character :
       {std::string_view("\0", 1), std::string_view("\n"), std::string_view("\x1B"),
        std::string_view("\x7F"), std::string_view("\xC2\x80"), std::string_view("\xC2\x9F"),
        std::string_view("\u061C"), std::string_view("\u200E"), std::string_view("\u200F"),
        std::string_view("\u202A"), std::string_view("\u202E"), std::string_view("\u2066"),
        std::string_view("\u2069")})
    EXPECT_TRUE(controls_terminal(character)) << testing::PrintToString(character);
  for (const std::string_view character : {" ", "~", "\u00A0", "ü", "서", "\u061B", "\u200D",
                                           "\u2010", "\u2029", "\u202F", "\u2065", "\u206A", "😀"})
    EXPECT_FALSE(controls_terminal(character)) << testing::PrintToString(character);
}

TEST(Utf8, ClipsByCharacters) {
  EXPECT_EQ(clipped("Zürich", 2), "Zü");
  EXPECT_EQ(clipped("Zürich", 99), "Zürich");
  EXPECT_EQ(clipped("Zürich", 0), "");
}

TEST(Utf8, AbbreviatesInTheMiddle) {
  EXPECT_EQ(abbreviated("mlm[rate=0.15]", 14, ".."), "mlm[rate=0.15]");
  EXPECT_EQ(abbreviated("mlm[rate=0.15]", 10, ".."), "mlm[...15]");
  EXPECT_EQ(abbreviated("Zürichsee", 6, ".."), "Zü..ee");
  EXPECT_EQ(abbreviated("abcdef", 3, ".."), "abc");
}

}  // namespace
}  // namespace ablate

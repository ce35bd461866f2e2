// Case, white space and punctuation of all scripts; of ASCII what they were.

#include "harness/base/text/unicode.h"

#include <gtest/gtest.h>

#include <string>

namespace ablate {
namespace {

TEST(Unicode, FoldsCase) {
  EXPECT_EQ(case_folded("The ЖУК ÀÉ ΣΊΣΥΦΟΣ ß"), case_folded("tHE жук àé σίσυφος SS"));
  EXPECT_NE(case_folded("é"), case_folded("e"));
  EXPECT_EQ(case_folded("a\xFF"), "a\uFFFD");
  EXPECT_EQ(case_folded(""), "");
}

TEST(Unicode, FoldsFormsOfTheSameLetter) {
  EXPECT_EQ(identifier_folded("CAFE\u0301"), identifier_folded("caf\u00E9"));
  EXPECT_EQ(identifier_folded("a\u200Bb"), "ab") << "invisible";
  EXPECT_NE(identifier_folded("café"), identifier_folded("cafe"));
  EXPECT_EQ(identifier_folded(""), "");
}

TEST(Unicode, ShowsWhatAReaderDoesNotSee) {
  EXPECT_EQ(with_visible_characters("a b\u00A0cafe\u0301\u200B\tж中"),
            "a b\\u00a0cafe\\u0301\\u200b\\u0009ж中");
  EXPECT_EQ(with_visible_characters("a\xFF"), "a\xFF");
}

// What Python's str.isspace is true of.
TEST(Unicode, KnowsWhiteSpace) {
  for (const char* space : {" ", "\t", "\n", "\v", "\f", "\r", "\x1C", "\u0085", "\u00A0", "\u1680",
                            "\u2003", "\u2028", "\u2029", "\u202F", "\u205F", "\u3000"})
    EXPECT_TRUE(is_white_space(space)) << space;
  for (const char* other : {"a", "\u200B", "\uFEFF", "_", "\u2581"})
    EXPECT_FALSE(is_white_space(other)) << other;
  EXPECT_TRUE(is_white("\u00A0 \u3000"));
  EXPECT_TRUE(is_white(""));
  EXPECT_FALSE(is_white(" \xFF"));
}

TEST(Unicode, KnowsPunctuation) {
  const std::string ascii = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";  // Python's string.punctuation
  for (char c = 1; c > 0 && c < 127; ++c)
    EXPECT_EQ(is_punctuation(std::string(1, c)), ascii.find(c) != ascii.npos) << c;
  for (const char* mark : {"«", "»", "—", "…", "。", "¿", "“", "、"})
    EXPECT_TRUE(is_punctuation(mark)) << mark;
  for (const char* other : {"ж", "€", "中", "\u0301"}) EXPECT_FALSE(is_punctuation(other)) << other;
}

TEST(Unicode, RemovesCharactersAndKeepsBytesThatAreNone) {
  EXPECT_EQ(without("a \u00A0\xFF b", is_white_space),
            "a\xFF"
            "b");
}

}  // namespace
}  // namespace ablate

#include "harness/data/text/text_encoding.h"

#include <gtest/gtest.h>

namespace ablate::data {
namespace {

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

TEST(EncodingOf, IsUtf8ForValidTextOfAnyScript) {
  EXPECT_EQ(encoding_of(""), Encoding::utf8);
  EXPECT_EQ(encoding_of("plain\ttext\r\n"), Encoding::utf8);
  EXPECT_EQ(encoding_of("\xEF\xBB\xBFna\xC3\xAFve \xED\x95\x9C"), Encoding::utf8);
}

TEST(EncodingOf, KnowsWindows1252ByItsFewLettersOutsideAscii) {
  const std::string cafe = "Le caf\xE9 \xE9tait ferm\xE9, \x93o\xF9 aller\x94 ?\n";
  EXPECT_EQ(encoding_of(cafe), Encoding::windows_1252);
  EXPECT_EQ(encoding_of(repeated(cafe, 100)), Encoding::windows_1252);
  EXPECT_EQ(encoding_of("Stra\xDF"
                        "e, \xFC"
                        "ber, \xC4pfel\n"),
            Encoding::windows_1252);
}

TEST(EncodingOf, DoesNotGuessOtherCodePages) {
  const std::string russian = "\xF0\xD2\xC9\xD7\xC5\xD4, \xCD\xC9\xD2!\n";  // KOI8-R
  EXPECT_EQ(encoding_of(repeated(russian, 100)), Encoding::unknown);
  EXPECT_EQ(encoding_of("one undefined byte: \x81"), Encoding::unknown);
}

TEST(EncodingOf, TakesDamagedUtf8ForNoOtherEncoding) {
  const std::string korean = repeated("\xED\x95\x9C\xEA\xB8\x80 ", 50);
  EXPECT_EQ(encoding_of(korean + "\xED\x95"), Encoding::unknown) << "its last character is cut off";
}

TEST(EncodingOf, KnowsBinaryFilesByNulBytesAndControlCharacters) {
  EXPECT_EQ(encoding_of(std::string("a\0b\0", 4)), Encoding::binary) << "UTF-16 without its mark";
  EXPECT_EQ(encoding_of("\x7F\x45\x4C\x46\x02\x01\x01\xFF\x03\x04"), Encoding::binary);
}

TEST(OddFiles, CountsFilesByWhatTheyLookLike) {
  OddFiles training, held_out;
  training.add("good.txt", "good");
  training.add("a.txt", "caf\xE9");
  training.add("b.txt", "caf\xE9s");
  held_out.add("c.txt", "du th\xE9");
  held_out.add("d.bin", std::string(3, '\0'));
  EXPECT_EQ(OddFiles().json(), Json::object());
  training.add(held_out);
  EXPECT_EQ(training.json(), Json({{"windows_1252", {{"files", 3}, {"first", "a.txt"}}},
                                   {"binary", {{"files", 1}, {"first", "d.bin"}}}}));
}

}  // namespace
}  // namespace ablate::data

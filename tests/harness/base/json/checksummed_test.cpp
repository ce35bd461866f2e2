// Documents and lines whose every byte is verified.

#include "harness/base/json/checksummed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/error.h"

namespace ablate {
namespace {

const Json kDocument = {{"sha256", "of something else"},
                        {"number", 0.1},
                        {"text", "a\nb \u00e9"},
                        {"list", {1, nullptr, {{"sha256", "deep"}}}}};

TEST(Checksummed, ADocumentIsReadAsItWasWritten) {
  Json document = kDocument;
  document.erase("sha256");
  EXPECT_EQ(checked_document(checksummed_text(kDocument), "d"), document)
      << "the first level's own \"sha256\" is the checksum";
}

TEST(Checksummed, EveryBitAndEveryLengthOfADocumentCounts) {
  const std::string text = checksummed_text(kDocument);
  for (std::size_t at = 0; at < text.size(); ++at) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string changed = text;
      changed[at] = static_cast<char>(changed[at] ^ (1 << bit));
      EXPECT_THROW(checked_document(changed, "d"), DamagedFile) << at << ' ' << bit;
    }
    EXPECT_THROW(checked_document(text.substr(0, at), "d"), DamagedFile) << at;
  }
  EXPECT_THROW(checked_document(text + ' ', "d"), DamagedFile);
  EXPECT_THROW(checked_document(R"({"number": 1})", "d"), DamagedFile) << "no checksum at all";
}

std::string three_lines() {
  LineChain chain;
  std::string text;
  for (const int number : {1, 2, 3}) text += chain.next({{"number", number}}) + '\n';
  return text;
}

TEST(Checksummed, LinesAreReadAsTheyWereWritten) {
  const CheckedLines checked = checked_lines(three_lines() + "{\"torn\": ", "l");
  EXPECT_EQ(checked.lines, (std::vector<Json>{{{"number", 1}}, {{"number", 2}}, {{"number", 3}}}));
  EXPECT_EQ(checked.complete_bytes, three_lines().size());
  EXPECT_EQ(checked.ends.back(), checked.complete_bytes);
}

TEST(Checksummed, AFileOfLinesGoesOn) {
  std::string text = three_lines();
  LineChain chain(checked_lines(text, "l").sums.back());
  text += chain.next({{"number", 4}}) + '\n';
  EXPECT_EQ(checked_lines(text, "l").lines.size(), 4u);
}

TEST(Checksummed, ALineThatIsChangedRemovedOrMovedIsFound) {
  const std::string text = three_lines();
  for (std::size_t at = 0; at < text.size(); ++at)
    for (int bit = 0; bit < 8; ++bit) {
      std::string changed = text;
      changed[at] = static_cast<char>(changed[at] ^ (1 << bit));
      // Without its newline a last line is torn, and no line yet.
      if (at + 1 == text.size())
        EXPECT_EQ(checked_lines(changed, "l").lines.size(), 2u) << bit;
      else
        EXPECT_THROW(checked_lines(changed, "l"), DamagedFile) << at << ' ' << bit;
    }
  const std::size_t first = text.find('\n') + 1, second = text.find('\n', first) + 1;
  const std::string one = text.substr(0, first), two = text.substr(first, second - first),
                    three = text.substr(second);
  for (const std::string& other : {one + three, two + one, two, one + one, one + two + two})
    EXPECT_THROW(checked_lines(other, "l"), DamagedFile);
  try {
    checked_lines(one + three, "lines.jsonl");
    FAIL();
  } catch (const DamagedFile& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("lines.jsonl:2: does not follow"));
  }
}

// Numbers and escapes can be written in several ways.
TEST(Checksummed, AnotherSpellingOfTheSameValueIsAChange) {
  LineChain chain;
  std::string line = chain.next({{"number", 1e5}, {"text", "a/b"}}) + '\n';
  line.replace(line.find("a/b"), 3, "a\\/b");
  EXPECT_THROW(checked_lines(line, "l"), DamagedFile);
}

}  // namespace
}  // namespace ablate

// Streams that no terminal obeys.

#include "harness/run/progress/printable_stream.h"

#include <gtest/gtest.h>

#include <sstream>

#include "harness/run/progress/text.h"

namespace ablate::run {
namespace {

const std::string kMixed =
    "Z\u00FCrich\n\uC11C\uC6B8 \x1B[8m\x07\u202E\u009B \xFF\xE2\x82 \U0001F600\xF0\x9F!";

TEST(PrintableStream, PassesOnWhatPrintableLinesHas) {
  std::ostringstream out;
  {
    const PrintableStream printable(out);
    out << kMixed;
  }
  EXPECT_EQ(out.str(), printable_lines(kMixed));
  out << "\x1B";
  EXPECT_EQ(out.str().back(), '\x1B') << "the stream is again what it was";
}

// A character may be written in pieces, wherever they are cut.
TEST(PrintableStream, KnowsCharactersThatAreWrittenInPieces) {
  for (std::size_t first = 0; first <= kMixed.size(); ++first)
    for (std::size_t second = first; second <= kMixed.size(); ++second) {
      std::ostringstream out;
      {
        const PrintableStream printable(out);
        out << kMixed.substr(0, first) << std::flush << kMixed.substr(first, second - first);
        for (const char c : kMixed.substr(second)) out.put(c);
      }
      ASSERT_EQ(out.str(), printable_lines(kMixed)) << first << ", " << second;
    }
}

TEST(PrintableStream, ReplacesACharacterThatNeverEnds) {
  std::ostringstream out;
  {
    const PrintableStream printable(out);
    out << "a\xE2\x82";
    EXPECT_EQ(out.str(), "a");
  }
  EXPECT_EQ(out.str(), "a??");
}

TEST(PrintableStream, LetsADrawingThrough) {
  std::ostringstream out;
  const PrintableStream printable(out);
  for_drawing(out) << "\x1B[1m";
  EXPECT_EQ(out.str(), "\x1B[1m");
  std::ostringstream plain;
  for_drawing(plain) << "\x1B[1m";
  EXPECT_EQ(plain.str(), "\x1B[1m");
}

/// Takes nothing, as a full disk.
class FullBuffer : public std::streambuf {};

TEST(PrintableStream, SaysThatItCouldNotWrite) {
  FullBuffer full;
  std::ostream out(&full);
  const PrintableStream printable(out);
  out << "text";
  EXPECT_TRUE(out.bad());
}

}  // namespace
}  // namespace ablate::run

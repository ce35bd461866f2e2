// The table for a terminal: aligned, within its width, and with colours only where asked for.

#include "reports/formats/terminal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <sstream>

#include "harness/base/utf8.h"
#include "reports/report.h"
#include "tests/reports/hostile.h"
#include "tests/reports/sweeps.h"

namespace ablate::reports {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string small_text(const Terminal& terminal) {
  const store::Records records = small_records();
  return Report(records).terminal_text(terminal);
}

TEST(TerminalText, BeginsWithTheAnswer) {
  EXPECT_THAT(small_text({100, false}), StartsWith("In held_out.excess, mlm is worse than clm: "));
  EXPECT_THAT(small_text({100, true}),
              StartsWith("\x1b[1mIn held_out.excess, mlm is worse than clm"));
}

TEST(TerminalText, SaysTheSameWithoutColours) {
  const std::string coloured = small_text({100, true});
  EXPECT_NE(coloured.find('\x1b'), coloured.npos);
  EXPECT_EQ(std::regex_replace(coloured, std::regex("\x1b\\[[0-9]+m"), ""),
            small_text({100, false}));
}

TEST(TerminalText, AlignsItsColumns) {
  const std::vector<std::string> lines = lines_of(small_text({200, false}));
  const auto head = std::find_if(lines.begin(), lines.end(), [](const std::string& line) {
    return line.starts_with("metric");
  });
  ASSERT_NE(head, lines.end());
  const auto rule = std::find_if(head, lines.end(),
                                 [](const std::string& line) { return line.starts_with("─"); });
  ASSERT_NE(rule, lines.end());
  EXPECT_THAT(*(rule + 1), StartsWith("held_out.excess ↓  nats/target"));
  for (auto line = head; !line->empty(); ++line)
    EXPECT_LE(characters(*line), characters(*rule)) << *line;
}

TEST(TerminalText, FitsItsWidth) {
  const store::Records records = with_sweep("mlm", {.1, .2, .4});
  for (const std::size_t columns : {60u, 80u, 120u}) {
    const std::string text = Report(records).terminal_text({columns, false});
    for (const std::string& line : lines_of(text)) EXPECT_LE(characters(line), columns) << line;
  }
  // In parts, each with the names of the arms.
  const std::vector<std::string> narrow = lines_of(Report(records).terminal_text({60, false}));
  EXPECT_GT(
      std::count_if(narrow.begin(), narrow.end(),
                    [](const std::string& line) { return line.starts_with("mlm[rate=0.1]"); }),
      1);
}

TEST(TerminalText, IsInertWhateverTheNames) {
  const store::Records records = hostile_records();
  const std::string text = Report(records).terminal_text({100, false});
  EXPECT_EQ(text.find('\x1b'), text.npos);
  EXPECT_EQ(first_invalid_utf8(text), text.npos);
}

}  // namespace
}  // namespace ablate::reports

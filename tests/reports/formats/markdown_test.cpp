// Markdown: names stay in their cells.

#include "reports/formats/markdown.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <sstream>

#include "tests/reports/files.h"
#include "tests/reports/hostile.h"

namespace ablate::reports {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Markdown, HostileNamesStayInTheirCells) {
  const std::string markdown = files_of(hostile_records()).at("report.md");
  EXPECT_THAT(markdown, Not(HasSubstr("\x1b")));
  std::size_t cells = 0;
  std::istringstream lines(markdown);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_FALSE(std::regex_search(line, std::regex(R"((^|[^\\])<)"))) << line;
    if (!line.starts_with("|")) {
      cells = 0;
      continue;
    }
    const std::regex bar(R"((^|[^\\])\|)");
    const auto count = static_cast<std::size_t>(
        std::distance(std::sregex_iterator(line.begin(), line.end(), bar), std::sregex_iterator()));
    if (cells != 0) {
      EXPECT_EQ(count, cells) << line;
    }
    cells = count;
  }
}

}  // namespace
}  // namespace ablate::reports

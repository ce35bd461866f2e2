// Figures as files: complete, and drawn by programs that are no browsers.

#include "reports/formats/svg_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

#include "tests/reports/files.h"
#include "tests/reports/hostile.h"

namespace ablate::reports {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(SvgFiles, AreThePanelsOfThePage) {
  const auto files = files_of(small_records());
  const std::string& html = files.at("report.html");
  std::size_t count = 0;
  for (const auto& [name, bytes] : files) {
    if (!name.ends_with(".svg") || !name.starts_with("figure-")) continue;
    ++count;
    const std::string drawn = bytes.substr(bytes.find("</style>") + 8);
    EXPECT_NE(html.find(drawn.substr(0, drawn.size() - 1)), html.npos) << name;
    EXPECT_TRUE(bytes.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" ")) << name;
    EXPECT_TRUE(bytes.ends_with("</svg>\n")) << name;
  }
  const std::regex drawing("<svg ");
  const auto begin = std::sregex_iterator(html.begin(), html.end(), drawing);
  EXPECT_EQ(count, static_cast<std::size_t>(std::distance(begin, std::sregex_iterator())));
  EXPECT_TRUE(files.contains("figure-forest-1.svg"));
}

TEST(SvgFiles, HaveColoursAndNoVariables) {
  const std::string svg = files_of(small_records()).at("figure-curves-1.svg");
  EXPECT_THAT(svg, Not(HasSubstr("var(")));
  EXPECT_TRUE(std::regex_search(svg, std::regex(R"(svg \.curve\.c0\{[^}]*stroke:#[0-9a-f]{6})")));
  EXPECT_TRUE(std::regex_search(svg, std::regex(R"(svg \.whisker\.worse\{[^}]*stroke:#)")));
}

TEST(SvgFiles, HoldNoHostileText) {
  for (const auto& [name, bytes] : files_of(hostile_records())) {
    if (!name.ends_with(".svg")) continue;
    EXPECT_THAT(bytes, Not(HasSubstr("<script"))) << name;
    EXPECT_THAT(bytes, Not(HasSubstr("<img"))) << name;
    EXPECT_THAT(bytes, Not(HasSubstr("\x1b"))) << name;
  }
}

}  // namespace
}  // namespace ablate::reports

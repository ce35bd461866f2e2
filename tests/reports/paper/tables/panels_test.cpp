// A wide table becomes panels that fit the page, and loses nothing.

#include "reports/paper/tables/panels.h"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "reports/paper/tables/table_float.h"
#include "reports/paper/tables/text_width.h"
#include "tests/reports/paper/tex_scanner.h"
#include "tests/reports/wide_records.h"

namespace ablate::reports {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Le;
using testing::Not;

constexpr double kPage = 430;  // points

/// A table of so many arms and metrics, with long names.
Table wide_table(int arms, int metrics) {
  Table table{.name = "wide", .caption = "Wide", .columns = {{.title = "arm"}}};
  for (int i = 0; i < metrics; ++i)
    table.columns.push_back({fmt::format("probe_{}.a_long_name_{}", i / 3, i), "nats/target",
                             i % 2 ? Better::lower : Better::neither, true});
  for (int arm = 0; arm < arms; ++arm) {
    Row& row = table.rows.emplace_back(
        Row{.cells = {text_cell(fmt::format("span_corruption[noise_density=0.15,arm={}]", arm))}});
    for (int i = 0; i < metrics; ++i) row.cells.push_back(text_cell(fmt::format("{}.25", i)));
  }
  return table;
}

TEST(Panels, ANarrowTableIsOnePanelInSmallPrint) {
  const TableLayout layout = table_layout(wide_table(2, 2), kPage);
  EXPECT_STREQ(layout.size.command, "\\small");
  ASSERT_EQ(layout.panels.size(), 1u);
  EXPECT_EQ(layout.panels[0].size(), 3u);
}

TEST(Panels, FitThePageAndHaveEveryColumnOnceBesideTheFirst) {
  for (const int metrics : {5, 12, 40}) {
    const Table table = wide_table(12, metrics);
    const TableLayout layout = table_layout(table, kPage);
    EXPECT_STREQ(layout.size.command, "\\footnotesize");
    std::multiset<std::size_t> shown;
    for (const auto& panel : layout.panels) {
      EXPECT_THAT(width_of(panel, layout.size), Le(kPage + 1e-9));
      EXPECT_EQ(panel.front().index, 0u);
      EXPECT_GT(panel.size(), 1u);
      for (const PaperColumn& column : panel) shown.insert(column.index);
    }
    EXPECT_EQ(shown.count(0), layout.panels.size());
    for (int i = 1; i <= metrics; ++i) EXPECT_EQ(shown.count(static_cast<std::size_t>(i)), 1u) << i;
  }
}

TEST(Panels, WrapLongTextsAndGiveThemWhatIsLeft) {
  Table table{.name = "texts", .columns = {{.title = "arm"}, {.title = "settings"}}};
  table.rows.push_back({.cells = {text_cell("mlm"), text_cell(std::string(400, 'x'))}});
  const TableLayout layout = table_layout(table, kPage);
  ASSERT_EQ(layout.panels.size(), 1u);
  EXPECT_EQ(layout.panels[0][0].shape, Shape::text);
  EXPECT_EQ(layout.panels[0][1].shape, Shape::wrapped);
  EXPECT_NEAR(width_of(layout.panels[0], layout.size), kPage, 1);
}

TEST(Panels, HeadsAreGroupedByProbeWithUnitsInALineOfTheirOwn) {
  const std::string tex = tabular(wide_table(2, 2), {});
  EXPECT_THAT(tex, HasSubstr("{}{} & \\multicolumn{2}{c}{probe\\_0} \\\\\n\\cmidrule(lr){2-3}\n"));
  EXPECT_THAT(tex, HasSubstr("(nats/target) & (nats/target) \\\\\n\\midrule"));
  EXPECT_EQ(TexScanner(tex).fault(), "");
}

TEST(Panels, NamesBreakAtTheirMarksWhereNumbersAreNarrower) {
  Table table{
      .columns = {{.title = "arm"}, {.title = "prefix_lm[prefix_share=0.25]", .numbers = true}}};
  table.rows.push_back({.cells = {text_cell("loss"), text_cell("2.5")}});
  EXPECT_THAT(columns_of(table)[1].head, ElementsAre("prefix_lm[", "prefix_", "share=0.25]"));
}

TEST(Panels, ATableOfManyPanelsIsTurnedUnlessItIsTheMainOne) {
  Table table = wide_table(8, 16);
  EXPECT_THAT(table_float(table, "x", {}), HasSubstr("\\begin{landscape}"));
  table.name = "main";
  EXPECT_THAT(table_float(table, "x", {}), Not(HasSubstr("landscape")));
}

TEST(Panels, EveryCellIsOnSomePageOfALongTable) {
  const std::string tex = table_float(wide_table(70, 9), "x", {});
  for (int arm = 0; arm < 70; ++arm)
    EXPECT_THAT(tex, HasSubstr(fmt::format("arm=\\allowbreak{{}}{}\\rbrack", arm)));
  EXPECT_EQ(TexScanner(tex).fault(), "");
}

TEST(TextWidth, IsThatOfComputerModern) {
  EXPECT_DOUBLE_EQ(text_width("0123"), 2);
  EXPECT_NEAR(text_width("held"), .556 + .444 + .278 + .556, 1e-9);
  EXPECT_DOUBLE_EQ(text_width("é"), .75);
}

}  // namespace
}  // namespace ablate::reports

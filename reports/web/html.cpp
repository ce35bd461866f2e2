#include "reports/web/html.h"

#include <fmt/core.h>

#include <algorithm>

#include "harness/base/utf8.h"
#include "reports/assets/assets.h"
#include "reports/text/number.h"
#include "reports/text/text.h"
#include "reports/web/chart_data.h"
#include "reports/web/content_policy.h"
#include "reports/web/template.h"
#include "reports/web/value_tables.h"

namespace ablate::reports {
namespace {

constexpr std::size_t kWrappedText = 60;  // characters from which a cell's text may wrap

/// The number with the typographic minus in place of a hyphen.
std::string minus(const std::string& number) {
  return number.starts_with('-') ? "−" + number.substr(1) : number;
}

std::string_view class_of_tone(Tone tone) {
  switch (tone) {
    case Tone::good:
      return "good";
    case Tone::bad:
      return "bad";
    case Tone::neutral:
      return "neutral";
    case Tone::quiet:
      return "quiet";
    case Tone::plain:
      break;
  }
  return "";
}

/// Whether any cell of the column is an estimate: it then takes two columns, so that ± aligns.
std::vector<bool> estimate_columns(const Table& table) {
  std::vector<bool> result(table.columns.size(), false);
  for (const Row& row : table.rows) {
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      if (row.cells[i].estimate) result[i] = true;
    }
  }
  return result;
}

/// A text, or null where it is empty.
Json given(std::string_view text) { return text.empty() ? Json() : Json(std::string(text)); }

Json estimate_data(const Estimate& estimate) {
  if (!estimate.mean) return {{"missing", true}};
  const Rounded number = rounded(*estimate.mean, estimate.interval);
  return {{"estimate",
           {{"origin", given(estimate.anchor)},
            {"mean", minus(number.mean)},
            {"half", number.half_width.empty() ? "" : "± " + number.half_width}}}};
}

/// A name in parts, between which a line may break: after the marks within it, not within a number.
Json breakable(const std::string& name) {
  const auto digit = [&](std::size_t i) {
    return i < name.size() && name[i] >= '0' && name[i] <= '9';
  };
  Json parts = Json::array();
  std::string part;
  for (std::size_t i = 0; i < name.size(); ++i) {
    part += name[i];
    const bool mark = std::string_view("._[,=").find(name[i]) != std::string_view::npos;
    if (!mark || (name[i] == '.' && digit(i + 1))) continue;
    parts.push_back({{"part", part}, {"more", true}});
    part.clear();
  }
  parts.push_back({{"part", part}, {"more", false}});
  return parts;
}

Json cell_data(const Cell& cell, const Column& column, bool wide, bool first) {
  if (cell.estimate) return estimate_data(*cell.estimate);
  if (first) return {{"label", {{"parts", breakable(cell.text)}, {"link", given(cell.link)}}}};
  std::string classes(class_of_tone(cell.tone));
  if (column.numbers) classes += classes.empty() ? "n" : " n";
  if (characters(cell.text) > kWrappedText) classes += classes.empty() ? "wrap" : " wrap";
  return {{"plain",
           {{"wide", wide},
            {"classes", given(classes)},
            {"link", given(cell.link)},
            {"text", cell.text}}}};
}

Json grid_data(const Table& table) {
  const std::vector<bool> wide = estimate_columns(table);
  Json columns = Json::array(), rows = Json::array();
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    columns.push_back({{"wide", bool(wide[i])},
                       {"numbers", table.columns[i].numbers},
                       {"parts", breakable(table.columns[i].title)},
                       {"arrow", given(arrow_of(table.columns[i].better))},
                       {"unit", given(table.columns[i].unit)}});
  for (const Row& row : table.rows) {
    Json cells = Json::array();
    for (std::size_t i = 0; i < row.cells.size(); ++i)
      cells.push_back(cell_data(row.cells[i], table.columns[i], wide[i], i == 0));
    rows.push_back(
        {{"strong", row.strong}, {"anchor", given(row.anchor)}, {"cells", std::move(cells)}});
  }
  return {{"sortable", table.alike && table.rows.size() > 1},
          {"columns", std::move(columns)},
          {"rows", std::move(rows)}};
}

/// The data of a block, under the name of its kind.
struct BlockData {
  Json operator()(const Paragraph& paragraph) const {
    return {{"paragraph", {{"text", paragraph.text}, {"warning", paragraph.warning}}}};
  }
  Json operator()(const Table& table) const {
    return {{"table",
             {{"table_name", table.name},
              {"caption", table.caption},
              {"grid", table.rows.empty() ? Json() : grid_data(table)},
              {"has_notes", !table.notes.empty()},
              {"notes", table.notes}}}};
  }
  Json operator()(const Figure& figure) const {
    return {{"figure",
             {{"panels", figure.panels},
              {"chart_data", figure.charts.empty() ? Json() : Json(chart_data(figure))},
              {"caption", figure.caption}}}};
  }
  Json operator()(const Passages& passages) const {
    Json texts = Json::array();
    for (const Passage& passage : passages.texts)
      texts.push_back({{"heading", passage.heading},
                       {"about", given(passage.about)},
                       {"lines", html_text(passage.text, true)}});
    return {{"passages", {{"side_by_side", passages.title}, {"texts", std::move(texts)}}}};
  }
};

Json section_data(const Section& section) {
  Json blocks = Json::array();
  for (const Block& block : section.blocks) blocks.push_back(std::visit(BlockData{}, block));
  return {{"section", section.name}, {"title", section.title}, {"blocks", std::move(blocks)}};
}

bool has_charts(const Document& document) {
  const auto charted = [](const Block& block) {
    const auto* figure = std::get_if<Figure>(&block);
    return figure != nullptr && !figure->charts.empty();
  };
  return std::ranges::any_of(document.sections, [&](const Section& section) {
    return std::ranges::any_of(section.blocks, charted);
  });
}

/// uPlot, with its licence before it.
std::string plotting_library() {
  return fmt::format("/*\n{}*/\n{}", asset("vendor/uPlot.LICENSE.txt"),
                     asset("vendor/uPlot.iife.min.js"));
}

/// Every value behind the page's numbers, and at the common learning rate.
Section values_section(const Analysis& analysis, const Analysis* common) {
  Section section{"values", "Every value", {}};
  for (Table& table : value_tables(analysis, analysis)) section.blocks.push_back(std::move(table));
  if (common == nullptr || section.blocks.empty()) return section;
  section.blocks.push_back(Paragraph{"At the common learning rate:"});
  for (Table& table : value_tables(*common, analysis)) section.blocks.push_back(std::move(table));
  return section;
}

}  // namespace

std::string html_page(const Document& document, const Section& values) {
  std::vector<std::string> styles = {std::string(asset("report.css"))};
  std::vector<std::string> scripts = {std::string(asset("tables.js"))};
  if (has_charts(document)) {
    for (const char* name : {"vendor/uPlot.min.css", "charts.css"})
      styles.emplace_back(asset(name));
    scripts.push_back(plotting_library());
    scripts.emplace_back(asset("charts.js"));
  }
  Json sections = Json::array();
  for (const Section& section : document.sections) sections.push_back(section_data(section));
  if (!values.blocks.empty()) sections.push_back(section_data(values));
  return filled("page.mustache", {{"page_title", document.title},
                                  {"policy", content_policy(styles, scripts)},
                                  {"styles", styles},
                                  {"scripts", scripts},
                                  {"question", given(document.question)},
                                  {"answer", document.answer},
                                  {"facts", document.facts},
                                  {"origins", !values.blocks.empty()},
                                  {"sections", std::move(sections)}});
}

Format html_format() {
  return {"html", [](const Content& content) -> std::vector<ReportFile> {
            return {{"report.html", html_page(content.document,
                                              values_section(content.analysis, content.common))}};
          }};
}

}  // namespace ablate::reports

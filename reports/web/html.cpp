#include "reports/web/html.h"

#include <fmt/core.h>

#include <algorithm>

#include "reports/assets/assets.h"
#include "reports/figures/drawing/draw.h"
#include "reports/text/text.h"
#include "reports/web/chart_data.h"
#include "reports/web/content_policy.h"
#include "reports/web/query_table.h"
#include "reports/web/table_data.h"
#include "reports/web/template.h"
#include "reports/web/values_section.h"

namespace ablate::reports {
namespace {

/// The data of a block, under the name of its kind.
struct BlockData {
  const Anchors& anchors;

  Json operator()(const Paragraph& paragraph) const {
    return {{"paragraph", {{"text", paragraph.text}, {"warning", paragraph.warning}}}};
  }
  Json operator()(const Table& table) const { return {{"table", table_data(table, anchors)}}; }
  Json operator()(const Figure& figure) const {
    Json panels = Json::array();
    for (const Plot& plot : figure.plots)
      panels.push_back(draw(plot, fmt::format("{}-{}", figure.name, panels.size() + 1)));
    return {{"figure",
             {{"several", figure.plots.size() > 1},
              {"panels", std::move(panels)},
              {"chart_data", figure.axes.empty() ? Json() : Json(chart_data(figure))},
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

bool is_beside_answer(const Block& block) {
  const auto* figure = std::get_if<Figure>(&block);
  return figure != nullptr && figure->beside_answer;
}

/// The blocks of these sections that stand beside the answer.
Json beside_data(const std::vector<Section>& sections, const Anchors& anchors) {
  Json blocks = Json::array();
  for (const Section& section : sections)
    for (const Block& block : section.blocks)
      if (is_beside_answer(block)) blocks.push_back(std::visit(BlockData{anchors}, block));
  return blocks;
}

Json section_data(const Section& section, const Anchors& anchors) {
  Json blocks = Json::array();
  for (const Block& block : section.blocks)
    if (!is_beside_answer(block)) blocks.push_back(std::visit(BlockData{anchors}, block));
  return {{"section", section.name},
          {"title", section.title},
          {"finding", given(section.finding)},
          {"folded", section.folded},
          {"blocks", std::move(blocks)}};
}

bool has_charts(const Document& document) {
  const auto charted = [](const Block& block) {
    const auto* figure = std::get_if<Figure>(&block);
    return figure != nullptr && !figure->axes.empty();
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

/// The parts of the script that draws charts, in a scope of their own; each uses those before it.
std::string charts_script() {
  std::string script = "\"use strict\";\n\n(() => {\n";
  for (const char* part : {"elements", "numbers", "points", "plot", "chart", "figure"})
    script += asset(fmt::format("charts/{}.js", part));
  return script + "})();\n";
}

void add_anchors(const Section& section, Anchors& anchors) {
  for (const Block& block : section.blocks)
    if (const auto* table = std::get_if<Table>(&block))
      for (const Row& row : table->rows)
        if (!row.anchor.empty()) anchors.insert(row.anchor);
}

/// The sentences of the answer, each with the row of its query.
Json answer_data(const Document& document, const Anchors& anchors) {
  Json sentences = Json::array();
  for (std::size_t i = 0; i < document.answer.size(); ++i) {
    const std::string number = std::to_string(i + 1);
    sentences.push_back({{"text", document.answer[i].text},
                         {"number", anchors.contains(query_anchor(i)) ? Json(number) : Json()},
                         {"anchor", query_anchor(i)}});
  }
  return sentences;
}

}  // namespace

std::string html_page(const Document& document, const Section& values) {
  std::vector<std::string> styles = {std::string(asset("report.css"))};
  std::vector<std::string> scripts = {std::string(asset("tables.js"))};
  if (has_charts(document)) {
    for (const char* name : {"vendor/uPlot.min.css", "charts.css"})
      styles.emplace_back(asset(name));
    scripts.push_back(plotting_library());
    scripts.push_back(charts_script());
  }
  Anchors anchors;
  for (const Section& section : document.sections) add_anchors(section, anchors);
  add_anchors(values, anchors);
  Json sections = Json::array();
  for (const Section& section : document.sections)
    sections.push_back(section_data(section, anchors));
  if (!values.blocks.empty()) sections.push_back(section_data(values, anchors));
  return filled("page.mustache", {{"page_title", document.title},
                                  {"policy", content_policy(styles, scripts)},
                                  {"styles", styles},
                                  {"scripts", scripts},
                                  {"question", given(document.question)},
                                  {"answer", answer_data(document, anchors)},
                                  {"tone", given(class_of_tone(document.tone))},
                                  {"basis", given(basis_of(document.answer))},
                                  {"limits", given(document.limits)},
                                  {"facts", document.facts},
                                  {"beside", beside_data(document.sections, anchors)},
                                  {"origins", !values.blocks.empty()},
                                  {"sections", std::move(sections)}});
}

Format html_format() {
  return {"html", [](const Content& content) -> std::vector<ReportFile> {
            return {{"report.html", html_page(content.document, values_section(content))}};
          }};
}

}  // namespace ablate::reports

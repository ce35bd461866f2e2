#include "reports/formats/markdown.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "harness/base/utf8.h"
#include "reports/text/number.h"
#include "reports/text/text.h"

namespace ablate::reports {
namespace {

std::string cell_text(const Cell& cell) {
  if (!cell.estimate) return markdown_text(cell.text);
  if (!cell.estimate->mean) return "–";
  return rounded(*cell.estimate->mean, cell.estimate->interval).text();
}

std::string head_text(const Column& column) {
  std::string text = markdown_text(column.title);
  const std::string_view arrow = arrow_of(column.better);
  if (!arrow.empty()) text += fmt::format(" {}", arrow);
  if (!column.unit.empty()) text += " (" + markdown_text(column.unit) + ")";
  return text;
}

std::string padded(const std::string& text, std::size_t width, bool right) {
  const std::string room(width - characters(text), ' ');
  return right ? room + text : text + room;
}

std::string line_of(const std::vector<std::string>& cells, const std::vector<std::size_t>& widths,
                    const std::vector<Column>& columns) {
  std::string line = "|";
  for (std::size_t i = 0; i < cells.size(); ++i) {
    line += " " + padded(cells[i], widths[i], columns[i].numbers) + " |";
  }
  return line + "\n";
}

std::string rule_of(const std::vector<std::size_t>& widths, const std::vector<Column>& columns) {
  std::string line = "|";
  for (std::size_t i = 0; i < widths.size(); ++i) {
    line += std::string(widths[i] + 1, '-').insert(0, columns[i].numbers ? "" : "-");
    line += columns[i].numbers ? ":|" : "|";
  }
  return line + "\n";
}

struct Writer {
  std::string& out;

  void operator()(const Paragraph& paragraph) const {
    out += (paragraph.warning ? "**Note.** " : "") + markdown_text(paragraph.text) + "\n\n";
  }
  void operator()(const Table& table) const { out += to_markdown(table) + "\n"; }
  void operator()(const Figure&) const {}  // the HTML report has the drawings
  void operator()(const Passages& passages) const {
    out += "### " + markdown_text(passages.title) + "\n\n";
    for (const Passage& passage : passages.texts) {
      out += "**" + markdown_text(passage.heading) + "**";
      if (!passage.about.empty()) out += " (" + markdown_text(passage.about) + ")";
      out += "\n\n> " + markdown_text(passage.text) + "\n\n";
    }
  }
};

bool drawn_only(const Section& section) {
  return std::all_of(section.blocks.begin(), section.blocks.end(),
                     [](const Block& block) { return std::holds_alternative<Figure>(block); });
}

}  // namespace

std::string to_markdown(const Table& table) {
  std::vector<std::vector<std::string>> lines(1);
  for (const Column& column : table.columns) lines[0].push_back(head_text(column));
  for (const Row& row : table.rows) {
    std::vector<std::string>& line = lines.emplace_back();
    for (const Cell& cell : row.cells) line.push_back(cell_text(cell));
    if (row.strong) line.front() = "**" + line.front() + "**";
  }
  std::vector<std::size_t> widths(table.columns.size(), 3);
  for (const auto& line : lines) {
    for (std::size_t i = 0; i < line.size(); ++i) {
      widths[i] = std::max(widths[i], characters(line[i]));
    }
  }
  std::string out = markdown_text(table.caption) + "\n\n";
  if (!table.rows.empty()) {
    out += line_of(lines[0], widths, table.columns) + rule_of(widths, table.columns);
    for (std::size_t i = 1; i < lines.size(); ++i) out += line_of(lines[i], widths, table.columns);
    out += "\n";
  }
  for (const std::string& note : table.notes) out += "- " + markdown_text(note) + "\n";
  return out;
}

namespace {

/// A text as code where that is safe in all dialects, else as text.
std::string code(const std::string& text) {
  const bool plain = std::ranges::all_of(
      text, [](char c) { return c >= ' ' && c <= '~' && c != '`' && c != '<' && c != '&'; });
  return plain ? "`" + text + "`" : markdown_text(text);
}

/// The footnote of a sentence: what it was computed from.
std::string query_note(const Query& query) {
  std::string text = query.metric.empty() ? "" : markdown_text(query.metric) + ". ";
  if (!query.arms.empty())
    text += "Arms: " + markdown_text(fmt::format("{}", fmt::join(query.arms, ", "))) + ". ";
  if (!query.seeds.empty()) text += fmt::format("Seeds: {}. ", fmt::join(query.seeds, ", "));
  if (!query.test.empty()) text += "Test: " + markdown_text(query.test) + ". ";
  std::vector<std::string> paths;
  for (const Origin& origin : query.origins)
    if (std::ranges::find(paths, code(origin.path)) == paths.end())
      paths.push_back(code(origin.path));
  text += fmt::format("In report.json: {}.", fmt::join(paths, ", "));
  return query.sql.empty() ? text : text + " SQL: " + code(query.sql);
}

/// The sentences of the answer, a paragraph each, with the number of its footnote.
std::string answer_text(const std::vector<Statement>& answer) {
  std::string text;
  for (std::size_t i = 0; i < answer.size(); ++i) {
    text += fmt::format("{}**{}**", i == 0 ? "" : "\n\n", markdown_text(answer[i].text));
    if (!answer[i].query.origins.empty()) text += fmt::format("[^{}]", i + 1);
  }
  return text;
}

std::string answer_notes(const std::vector<Statement>& answer) {
  std::string text;
  for (std::size_t i = 0; i < answer.size(); ++i)
    if (!answer[i].query.origins.empty())
      text += fmt::format("[^{}]: {}\n", i + 1, query_note(answer[i].query));
  return text.empty() ? text : text + "\n";
}

}  // namespace

std::string markdown_page(const Document& document) {
  std::string out = "# " + markdown_text(document.title) + "\n\n";
  if (!document.question.empty()) out += "*" + markdown_text(document.question) + "*\n\n";
  out += answer_text(document.answer) + "\n\n";
  for (const std::string& small : {basis_of(document.answer), document.limits, document.facts})
    if (!small.empty()) out += markdown_text(small) + "\n\n";
  for (const Section& section : document.sections) {
    if (drawn_only(section)) continue;
    out += "## " + markdown_text(section.title) + "\n\n";
    for (const Block& block : section.blocks) std::visit(Writer{out}, block);
  }
  out += answer_notes(document.answer);
  while (out.ends_with("\n\n")) out.pop_back();
  return out;
}

Format markdown_format() {
  return {"md", [](const Content& content) -> std::vector<ReportFile> {
            return {{"report.md", markdown_page(content.document)}};
          }};
}

}  // namespace ablate::reports

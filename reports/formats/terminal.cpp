#include "reports/formats/terminal.h"

#include <fmt/core.h>

#include <algorithm>
#include <span>
#include <sstream>
#include <vector>

#include "harness/base/utf8.h"
#include "reports/text/number.h"
#include "reports/text/text.h"

namespace ablate::reports {
namespace {

constexpr std::size_t kGap = 2;            // blanks between columns
constexpr std::size_t kMaxCell = 40;       // characters of a cell
constexpr std::size_t kMinParagraph = 40;  // of a paragraph

// Select Graphic Rendition, ECMA-48 section 8.3.117.
constexpr std::string_view kBoldFace = "1", kFaint = "2", kRed = "31", kGreen = "32", kBlue = "34";

/// A cell as it is shown, and how.
struct ShownCell {
  std::string text;
  std::string_view style;  // of the constants above; empty: plain
};

std::string_view style_of(const Cell& cell) {
  if (cell.standing == Standing::best || cell.standing == Standing::equivalent) return kBoldFace;
  switch (cell.tone) {
    case Tone::good:
      return kGreen;
    case Tone::bad:
      return kRed;
    case Tone::neutral:
      return kBlue;
    case Tone::quiet:
      return kFaint;
    case Tone::plain:
      break;
  }
  return "";
}

ShownCell shown(const Cell& cell) {
  if (!cell.estimate) return {shortened(readable(cell.text), kMaxCell), style_of(cell)};
  if (!cell.estimate->mean) return {"–", ""};
  return {rounded(*cell.estimate->mean, cell.estimate->interval).text(), style_of(cell)};
}

ShownCell head(const Column& column) {
  std::string text = readable(column.title);
  if (const std::string_view arrow = arrow_of(column.better); !arrow.empty())
    text += fmt::format(" {}", arrow);
  return {shortened(text, kMaxCell), kBoldFace};
}

/// The lines of a table by column, and how wide they are.
struct ShownTable {
  std::vector<std::vector<ShownCell>> lines;  // the first is the head, the second the units
  std::vector<std::size_t> widths;
  std::vector<bool> right;
};

ShownTable shown_table(const Table& table) {
  ShownTable grid;
  std::vector<ShownCell> heads, units;
  for (const Column& column : table.columns) {
    heads.push_back(head(column));
    units.push_back({shortened(readable(column.unit), kMaxCell), kFaint});
    grid.right.push_back(column.numbers);
  }
  grid.lines.push_back(std::move(heads));
  const auto has_text = [](const ShownCell& cell) { return !cell.text.empty(); };
  if (std::any_of(units.begin(), units.end(), has_text)) grid.lines.push_back(std::move(units));
  for (const Row& row : table.rows) {
    std::vector<ShownCell>& line = grid.lines.emplace_back();
    for (const Cell& cell : row.cells) line.push_back(shown(cell));
    if (row.strong && line.front().style.empty()) line.front().style = kBoldFace;
  }
  grid.widths.assign(table.columns.size(), 0);
  for (const auto& line : grid.lines)
    for (std::size_t i = 0; i < line.size(); ++i)
      grid.widths[i] = std::max(grid.widths[i], characters(line[i].text));
  return grid;
}

/// The columns that are shown beside each other, the first one in every part.
std::vector<std::vector<std::size_t>> parts_of(const ShownTable& grid, std::size_t room) {
  std::vector<std::vector<std::size_t>> parts = {{0}};
  std::size_t used = grid.widths[0];
  for (std::size_t i = 1; i < grid.widths.size(); ++i) {
    if (used + kGap + grid.widths[i] > room && parts.back().size() > 1) {
      parts.push_back({0});
      used = grid.widths[0];
    }
    parts.back().push_back(i);
    used += kGap + grid.widths[i];
  }
  return parts;
}

class TerminalWriter {
 public:
  explicit TerminalWriter(const Terminal& terminal) : terminal_(terminal) {}

  /// A text between words, indented from its second line on.
  void paragraph(std::string_view raw, std::string_view style, std::string_view bullet = "") {
    std::istringstream words(readable(raw));
    std::string line(bullet);
    bool empty = true;
    const std::size_t room = std::max(terminal_.columns, kMinParagraph);
    for (std::string word; words >> word;) {
      if (!empty && characters(line) + 1 + characters(word) > room) {
        out_ += styled(line, style) + "\n";
        line.assign(characters(bullet), ' ');
        empty = true;
      }
      line += (empty ? "" : " ") + word;
      empty = false;
    }
    out_ += styled(line, style) + "\n";
  }

  void table(const Table& table) {
    const ShownTable grid = shown_table(table);
    for (const std::vector<std::size_t>& part : parts_of(grid, terminal_.columns)) {
      for (std::size_t i = 0; i < grid.lines.size(); ++i) {
        out_ += line_of(grid, grid.lines[i], part);
        if (i + table.rows.size() + 1 == grid.lines.size()) out_ += rule_of(grid, part);
      }
      out_ += "\n";
    }
  }

  void blank() { out_ += "\n"; }

  std::string str() && { return std::move(out_); }

 private:
  std::string styled(const std::string& text, std::string_view style) const {
    if (!terminal_.colours || style.empty() || text.empty()) return text;
    return fmt::format("\x1b[{}m{}\x1b[0m", style, text);
  }

  std::string line_of(const ShownTable& grid, const std::vector<ShownCell>& cells,
                      const std::vector<std::size_t>& part) const {
    std::string line;
    for (const std::size_t i : part) {
      const std::string room(grid.widths[i] - characters(cells[i].text), ' ');
      const std::string text = styled(cells[i].text, cells[i].style);
      line += (i == part.front() ? "" : std::string(kGap, ' ')) +
              (grid.right[i] ? room + text : text + room);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    return line + "\n";
  }

  std::string rule_of(const ShownTable& grid, const std::vector<std::size_t>& part) const {
    std::size_t width = 0;
    for (const std::size_t i : part) width += grid.widths[i] + (i == part.front() ? 0 : kGap);
    std::string rule;
    for (std::size_t i = 0; i < width; ++i) rule += "─";
    return styled(rule, kFaint) + "\n";
  }

  const Terminal& terminal_;
  std::string out_;
};

}  // namespace

std::string terminal_text(const std::vector<Statement>& answer, const Table& table,
                          const Terminal& terminal) {
  TerminalWriter writer(terminal);
  writer.paragraph(text_of(answer), kBoldFace);
  if (const std::string basis = basis_of(answer); !basis.empty()) writer.paragraph(basis, kFaint);
  writer.blank();
  writer.paragraph(table.caption, "");
  writer.blank();
  writer.table(table);
  for (const std::string& note : table.notes) writer.paragraph(note, kFaint, "· ");
  return std::move(writer).str();
}

}  // namespace ablate::reports

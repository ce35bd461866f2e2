#include "reports/paper/tables/columns.h"

#include <algorithm>
#include <cmath>

#include "reports/paper/tables/text_width.h"
#include "reports/text/number.h"

namespace ablate::reports {
namespace {

constexpr double kNameWidth = 6;     // quads; a name that is wider than this and its numbers wraps
constexpr double kArrow = 0.9;       // with the space before it
constexpr double kPlusMinus = 1.25;  // with the space around it
constexpr double kDagger = 0.4;      //
constexpr double kBold = 1.15;       // of the width of other digits
constexpr std::string_view kMarks = " ._,=[]/:;-";  // after which a name may go on below

bool any(const Table& table, std::size_t index, bool (*test)(const Cell&)) {
  return std::ranges::any_of(table.rows, [&](const Row& row) { return test(row.cells[index]); });
}

Shape shape_of(const Table& table, std::size_t index) {
  const auto has_interval = [](const Cell& cell) {
    return cell.estimate && cell.estimate->interval.has_value();
  };
  if (any(table, index, has_interval)) return Shape::estimate;
  return table.columns[index].numbers ? Shape::number : Shape::text;
}

/// The widths of both halves of the cells: what stands before the sign ±, and from there on.
struct Halves {
  double left = 0, right = 0;
};

Halves halves_of(const Cell& cell) {
  if (!cell.estimate) return {text_width(cell.text), 0};
  if (!cell.estimate->mean) return {text_width("--"), 0};
  const Rounded number = paper_rounded(*cell.estimate->mean, cell.estimate->interval);
  const double bold = cell.standing == Standing::unmarked ? 1 : kBold;
  return {text_width(number.mean) * bold,
          (number.half_width.empty() ? 0 : kPlusMinus + text_width(number.half_width)) +
              (cell.standing == Standing::unresolved ? kDagger : 0)};
}

double body_width(const Table& table, std::size_t index) {
  Halves widest;
  double together = 0;  // of a text that stands across both
  for (const Row& row : table.rows) {
    const Halves halves = halves_of(row.cells[index]);
    together = std::max(together, halves.left);
    if (!row.cells[index].estimate) continue;
    widest.left = std::max(widest.left, halves.left);
    widest.right = std::max(widest.right, halves.right);
  }
  return std::max(together, widest.left + widest.right);
}

/// A name on lines of at most this width, as far as it has places to break.
std::vector<std::string> broken(std::string_view name, double maximum) {
  std::vector<std::string> lines = {""};
  for (std::size_t at = 0; at < name.size();) {
    const std::size_t mark = name.find_first_of(kMarks, at);
    const std::size_t end = mark == name.npos ? name.size() : mark + 1;
    const std::string piece(name.substr(at, end - at));
    if (!lines.back().empty() && text_width(lines.back() + piece) > maximum) lines.emplace_back();
    lines.back() += piece;
    at = end;
  }
  for (std::string& line : lines)
    if (line.ends_with(' ')) line.pop_back();
  return lines;
}

double head_width(const PaperColumn& column, Better better) {
  double widest = column.unit.empty() ? 0 : text_width("(" + column.unit + ")");
  for (const std::string& line : column.head) widest = std::max(widest, text_width(line));
  return std::max(widest,
                  text_width(column.head.back()) + (better == Better::neither ? 0 : kArrow));
}

PaperColumn column_of(const Table& table, std::size_t index) {
  const Column& stored = table.columns[index];
  PaperColumn column{.index = index, .shape = shape_of(table, index), .unit = stored.unit};
  std::string_view name = stored.title;
  const bool metric = !stored.unit.empty() || stored.better != Better::neither;
  if (const std::size_t dot = name.find('.'); metric && dot != name.npos) {
    column.group = name.substr(0, dot);
    name.remove_prefix(dot + 1);
  }
  const double body = body_width(table, index);
  column.head = broken(name, std::max(body, kNameWidth));
  column.natural = std::max(body, head_width(column, stored.better));
  column.width = column.natural;
  return column;
}

}  // namespace

std::vector<PaperColumn> columns_of(const Table& table) {
  std::vector<PaperColumn> columns;
  for (std::size_t i = 0; i < table.columns.size(); ++i) columns.push_back(column_of(table, i));
  return columns;
}

void wrap(PaperColumn& column, double maximum) {
  if (column.shape != Shape::text || column.natural <= maximum) return;
  column.shape = Shape::wrapped;
  column.width = maximum;
}

int lines_of(const Row& row, std::span<const PaperColumn> columns) {
  int lines = 1;
  for (const PaperColumn& column : columns)
    if (column.shape == Shape::wrapped)  // a line is seldom full
      lines = std::max(lines, static_cast<int>(std::ceil(
                                  1.15 * text_width(row.cells[column.index].text) / column.width)));
  return lines;
}

int head_lines(std::span<const PaperColumn> columns) {
  std::size_t names = 1;
  bool groups = false, units = false;
  for (const PaperColumn& column : columns) {
    names = std::max(names, column.head.size());
    groups |= !column.group.empty();
    units |= !column.unit.empty();
  }
  return static_cast<int>(names) + (groups ? 1 : 0) + (units ? 1 : 0);
}

}  // namespace ablate::reports

#include "reports/paper/tables/tabular.h"

#include <fmt/ranges.h>

#include "reports/paper/numbers/cells.h"
#include "reports/text/latex.h"
#include "reports/text/number.h"

namespace ablate::reports {
namespace {

using Columns = std::span<const PaperColumn>;

std::string specification(const PaperColumn& column) {
  switch (column.shape) {
    case Shape::estimate:
      return "r@{}l";
    case Shape::number:
      return "r";
    case Shape::wrapped:
      return fmt::format("p{{{:.1f}em}}", column.width);
    case Shape::text:
      break;
  }
  return "l";
}

/// What stands over a column: an estimate has two.
std::string over(const PaperColumn& column, const std::string& tex) {
  if (column.shape == Shape::estimate) return fmt::format("\\multicolumn{{2}}{{c}}{{{}}}", tex);
  return tex.empty() ? "{}" : tex;
}

/// One line; an empty first cell must not lose its ampersand.
std::string line_tex(const std::vector<std::string>& cells) {
  std::string line;
  for (const std::string& cell : cells) line += line.empty() ? cell + "{}" : " & " + cell;
  return line + " \\\\\n";
}

/// The names of the probes, each over its metrics, with a rule below.
std::string groups_tex(Columns columns) {
  std::vector<std::string> cells;
  std::string rules;
  std::size_t at = 1;  // the column of the tabular, from 1
  for (std::size_t i = 0; i < columns.size();) {
    const std::string& group = columns[i].group;
    std::size_t width = 0;
    do {
      width += columns[i++].shape == Shape::estimate ? 2 : 1;
    } while (!group.empty() && i < columns.size() && columns[i].group == group);
    cells.push_back(group.empty() && width == 1
                        ? "{}"
                        : fmt::format("\\multicolumn{{{}}}{{c}}{{{}}}", width, latex_text(group)));
    if (!group.empty()) rules += fmt::format("\\cmidrule(lr){{{}-{}}}", at, at + width - 1);
    at += width;
  }
  return rules.empty() ? "" : line_tex(cells) + rules + "\n";
}

std::string name_tex(const Table& table, const PaperColumn& column) {
  std::vector<std::string> lines;
  for (const std::string& line : column.head) lines.push_back(latex_text(line));
  if (const Better better = table.columns[column.index].better; better != Better::neither)
    lines.back() += " " + latex_text(arrow_of(better));
  if (lines.size() == 1) return lines.front();
  const char place = column.shape == Shape::estimate ? 'c'
                     : column.shape == Shape::number ? 'r'
                                                     : 'l';
  return fmt::format("\\begin{{tabular}}[b]{{@{{}}{}@{{}}}}{}\\end{{tabular}}", place,
                     fmt::join(lines, "\\\\ "));
}

/// The lines of the head; those of groups and of units only where there are any.
std::string head_tex(const Table& table, Columns columns) {
  std::vector<std::string> names, units;
  bool any = false;
  for (const PaperColumn& column : columns) {
    names.push_back(over(column, name_tex(table, column)));
    units.push_back(over(column, column.unit.empty() ? "" : "(" + latex_text(column.unit) + ")"));
    any |= !column.unit.empty();
  }
  return groups_tex(columns) + line_tex(names) + (any ? line_tex(units) : "");
}

/// An estimate in the two columns that it has, with its standing.
std::string estimate_cells(const Cell& cell) {
  const Estimate& seen = *cell.estimate;
  if (!seen.mean) return "\\multicolumn{2}{c}{--}";
  const Rounded number = paper_rounded(*seen.mean, seen.interval);
  const std::string mean = formula(number.mean);
  const bool bold = cell.standing != Standing::unmarked;
  const bool open = cell.standing == Standing::unresolved;
  const std::string half = number.half_width.empty() ? "" : "{}\\pm " + formula(number.half_width);
  const std::string tail = half + (open ? "^{\\dagger}" : "");
  return fmt::format("${}$ & {}", bold ? "\\mathbf{" + mean + "}" : mean,
                     tail.empty() ? "" : "$" + tail + "$");
}

std::string cell_tex(const Cell& cell, Shape shape) {
  if (shape == Shape::estimate && cell.estimate) return estimate_cells(cell);
  if (shape == Shape::wrapped)
    return "\\raggedright\\arraybackslash{}" + latex_breakable(cell.text);
  const std::string text = cell.estimate ? estimate_tex(*cell.estimate) : latex_text(cell.text);
  return shape == Shape::estimate ? fmt::format("\\multicolumn{{2}}{{c}}{{{}}}", text) : text;
}

}  // namespace

std::string panel_tex(const Table& table, Columns columns, std::span<const Row> rows) {
  std::string specifications;
  for (const PaperColumn& column : columns) specifications += specification(column);
  std::string out = fmt::format("\\begin{{tabular}}{{@{{}}{}@{{}}}}\n\\toprule\n{}\\midrule\n",
                                specifications, head_tex(table, columns));
  for (const Row& row : rows) {
    std::vector<std::string> cells;
    for (const PaperColumn& column : columns)
      cells.push_back(cell_tex(row.cells[column.index], column.shape));
    out += line_tex(cells);
  }
  return out + "\\bottomrule\n\\end{tabular}";
}

}  // namespace ablate::reports

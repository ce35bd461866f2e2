#include "reports/paper/tabular.h"

#include <fmt/core.h>

#include <algorithm>
#include <span>

#include "harness/base/utf8.h"
#include "reports/paper/numbers/cells.h"
#include "reports/text/latex.h"
#include "reports/text/number.h"

namespace ablate::reports {
namespace {

constexpr std::size_t kLongText = 60;     // characters from which the texts of a column wrap
constexpr std::size_t kLongTitle = 32;    // characters from which the title of a column wraps
constexpr std::size_t kNarrow = 50;       // characters of a row that fit into one of two columns
constexpr std::size_t kRowsOnAPage = 30;  // with caption and notes

/// How a column is set.
enum class Shape { text, wrapped, number, estimate };

std::vector<Shape> shapes_of(const Table& table) {
  std::vector<Shape> shapes;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const auto any = [&](const auto& test) {
      return std::any_of(table.rows.begin(), table.rows.end(),
                         [&](const Row& row) { return test(row.cells[i]); });
    };
    const bool has_interval =
        any([](const Cell& cell) { return cell.estimate && cell.estimate->interval; });
    const bool is_long = any([](const Cell& cell) { return characters(cell.text) > kLongText; });
    shapes.push_back(has_interval               ? Shape::estimate
                     : table.columns[i].numbers ? Shape::number
                     : is_long                  ? Shape::wrapped
                                                : Shape::text);
  }
  return shapes;
}

std::string specification(Shape shape) {
  switch (shape) {
    case Shape::estimate:
      return "r@{}l";
    case Shape::number:
      return "r";
    case Shape::wrapped:
      return "p{0.6\\linewidth}";
    case Shape::text:
      break;
  }
  return "l";
}

/// A column's title, with the probe of its metric, its own name and its unit below each other,
/// because numbers are narrower than the names of metrics.
std::string head_tex(const Column& column, Shape shape) {
  if (column.title.empty()) return shape == Shape::estimate ? "\\multicolumn{2}{c}{}" : "{}";
  const std::size_t dot = column.unit.empty() ? column.title.npos : column.title.find('.');
  const bool is_long = characters(column.title) > kLongTitle;
  std::string text =
      is_long ? fmt::format("\\parbox[b]{{10em}}{{\\raggedright {}}}", latex_text(column.title))
      : dot == column.title.npos
          ? latex_text(column.title)
          : fmt::format("{}\\\\ {}", latex_text(column.title.substr(0, dot + 1)),
                        latex_text(column.title.substr(dot + 1)));
  if (column.better != Better::neither) text += " " + latex_text(arrow_of(column.better));
  const char place = shape == Shape::estimate ? 'c' : 'r';
  if (!column.unit.empty())
    text = fmt::format("\\begin{{tabular}}[b]{{@{{}}{}@{{}}}}{}\\\\({})\\end{{tabular}}", place,
                       text, latex_text(column.unit));
  return shape == Shape::estimate ? fmt::format("\\multicolumn{{2}}{{c}}{{{}}}", text) : text;
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
  const std::string text = cell.estimate ? estimate_tex(*cell.estimate) : latex_text(cell.text);
  if (shape == Shape::estimate) return fmt::format("\\multicolumn{{2}}{{c}}{{{}}}", text);
  return shape == Shape::wrapped ? "\\raggedright\\arraybackslash " + text : text;
}

/// One line; an empty first cell must not lose its ampersand.
std::string line_tex(const std::vector<std::string>& cells) {
  std::string line;
  for (const std::string& cell : cells) line += line.empty() ? cell + "{}" : " & " + cell;
  return line + " \\\\\n";
}

std::string tabular_of(const Table& table, std::span<const Row> rows) {
  const std::vector<Shape> shapes = shapes_of(table);
  std::string columns;
  std::vector<std::string> head;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    columns += specification(shapes[i]);
    head.push_back(head_tex(table.columns[i], shapes[i]));
  }
  std::string out = fmt::format("\\begin{{tabular}}{{@{{}}{}@{{}}}}\n\\toprule\n{}\\midrule\n",
                                columns, line_tex(head));
  for (const Row& row : rows) {
    std::vector<std::string> cells;
    for (std::size_t i = 0; i < shapes.size(); ++i)
      cells.push_back(cell_tex(row.cells[i], shapes[i]));
    out += line_tex(cells);
  }
  return out + "\\bottomrule\n\\end{tabular}";
}

std::size_t width_of(const Cell& cell) {
  if (!cell.estimate || !cell.estimate->mean) return std::min(characters(cell.text), kLongText);
  return characters(paper_rounded(*cell.estimate->mean, cell.estimate->interval).text());
}

/// The characters of the widest row, about.
std::size_t width_of(const Table& table) {
  std::size_t sum = 0;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    std::size_t widest = characters(table.columns[i].title) / 2;
    for (const Row& row : table.rows) widest = std::max(widest, width_of(row.cells[i]));
    sum += widest + 2;
  }
  return sum;
}

/// The notes, in small print across the float.
std::string notes_tex(const Table& table) {
  std::string notes;
  for (const std::string& note : table.notes) notes += latex_text(note) + "\\par\n";
  notes += marks_note(table);
  if (notes.empty()) return "";
  return "\\par\\smallskip\n\\begin{minipage}{\\linewidth}\\footnotesize\\raggedright\n" + notes +
         "\\end{minipage}\n";
}

bool has_mark(const Table& table, Standing standing) {
  return std::any_of(table.rows.begin(), table.rows.end(), [&](const Row& row) {
    return std::any_of(row.cells.begin(), row.cells.end(),
                       [&](const Cell& cell) { return cell.standing == standing; });
  });
}

}  // namespace

std::string tabular(const Table& table) { return tabular_of(table, table.rows) + "\n"; }

std::string marks_note(const Table& table) {
  if (!has_mark(table, Standing::best)) return "";
  std::string note = "Bold: the best mean";
  if (has_mark(table, Standing::equivalent))
    note += ", and what is equivalent to it within the smallest effect of interest";
  note += has_mark(table, Standing::unresolved)
              ? "; with $\\dagger$, not resolved from it (paired by seed, sign-flip test, Holm)."
              : ".";
  return note + "\\par\n";
}

std::string table_float(const Table& table, std::string_view experiment, const Venue& venue) {
  const char* const environment =
      venue.two_columns() && width_of(table) > kNarrow ? "table*" : "table";
  std::string out;
  for (std::size_t begin = 0; begin < table.rows.size(); begin += kRowsOnAPage) {
    const std::size_t count = std::min(kRowsOnAPage, table.rows.size() - begin);
    const bool first = begin == 0, last = begin + count == table.rows.size();
    out += fmt::format(
        "\\begin{{{}}}[{}]\n\\centering\n\\caption{{{}{}}}{}\n\\smallskip\\small\n\\AblateFit{{%\n{"
        "}}}\n{}"
        "\\end{{{}}}\n",
        environment, last && first ? "tb" : "p", latex_text(table.caption),
        first ? "" : " (continued)",
        first ? fmt::format("\\label{{tab:{}:{}}}", label_part(experiment), table.name) : "",
        tabular_of(table, std::span(table.rows).subspan(begin, count)),
        last ? notes_tex(table) : "", environment);
  }
  return out;
}

}  // namespace ablate::reports

#include "reports/paper/tables/table_float.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/paper/tables/tabular.h"
#include "reports/paper/tables/text_width.h"
#include "reports/text/latex.h"

namespace ablate::reports {
namespace {

constexpr double kPoints = 72.27;      // an inch
constexpr double kPageWidth = 430;     // points, of an article on letter paper with wide margins
constexpr double kLong = 600;          // points: the long side of the text on a page
constexpr double kRules = 22;          // points, of a tabular with the space around it
constexpr double kCaptionQuad = 10.2;  // points, with words that do not fill their lines
constexpr double kCaptionLine = 12;
constexpr double kNoteQuad = 8.7;
constexpr double kNoteLine = 9.5;

/// The space for a float, in points.
struct FloatSpace {
  double width = 0, height = 0;
  const char* environment = "table";
  bool turned = false;
};

double page_width(const Venue& venue) { return venue.page > 0 ? venue.page * kPoints : kPageWidth; }

bool fits_upright(const Table& table, double width) {
  const TableLayout layout = table_layout(table, width);
  return layout.panels.size() == 1 && layout.size.line > kNoteLine;
}

/// Where a table goes: into a column, across the page, or along its long side.
FloatSpace space_for(const Table& table, const Venue& venue) {
  if (venue.two_columns())
    return fits_upright(table, venue.column * kPoints)
               ? FloatSpace{venue.column * kPoints, kLong}
               : FloatSpace{page_width(venue), kLong, "table*"};
  const std::size_t upright = table_layout(table, page_width(venue)).panels.size();
  if (upright > 2 && table.name != "main" && table_layout(table, kLong).panels.size() < upright)
    return {kLong, page_width(venue), "table", true};
  return {page_width(venue), kLong};
}

double height_of_text(std::string_view text, double width, double quad, double line) {
  return std::ceil(text_width(text) * quad / width) * line;
}

double height_of_notes(const Table& table, double width) {
  double sum = marks_note(table).empty() ? 0 : 2 * kNoteLine;
  for (const std::string& note : table.notes)
    sum += height_of_text(note, width, kNoteQuad, kNoteLine);
  return sum;
}

/// Some rows of some columns, and its height in points.
struct TableBlock {
  const std::vector<PaperColumn>* columns = nullptr;
  std::span<const Row> rows = {};
  double height = 0;
};

/// A panel in blocks that fit below what is on the page already, and after that on pages of their own.
void add_blocks(const Table& table, const std::vector<PaperColumn>& columns, const TextSize& size,
                double room, std::vector<TableBlock>& blocks) {
  const double head = head_lines(columns) * size.line + kRules;
  for (std::size_t begin = 0; begin < table.rows.size();) {
    TableBlock block{&columns, {}, head};
    std::size_t end = begin;
    do {
      block.height += lines_of(table.rows[end++], columns) * size.line;
    } while (end < table.rows.size() &&
             block.height + lines_of(table.rows[end], columns) * size.line <= room);
    block.rows = std::span(table.rows).subspan(begin, end - begin);
    blocks.push_back(block);
    begin = end;
  }
}

using FloatPage = std::vector<TableBlock>;  // without any: for the notes alone

/// The blocks on pages: the caption is on the first, the notes on the last.
std::vector<FloatPage> pages_of(const Table& table, const TableLayout& layout,
                                const FloatSpace& space) {
  const double caption =
      height_of_text(table.caption, space.width, kCaptionQuad, kCaptionLine) + 20;
  std::vector<TableBlock> blocks;
  for (const auto& panel : layout.panels)
    add_blocks(table, panel, layout.size, std::max(space.height - caption, space.height / 3),
               blocks);
  std::vector<FloatPage> pages(1);
  double used = caption;
  const auto turn_if_full = [&](double height) {
    if (used + height <= space.height || pages.back().empty()) return;
    pages.emplace_back();
    used = kCaptionLine + 20;
  };
  for (const TableBlock& block : blocks) {
    turn_if_full(block.height);
    pages.back().push_back(block);
    used += block.height;
  }
  turn_if_full(height_of_notes(table, space.width));
  return pages;
}

std::string page_tex(const Table& table, const FloatPage& page) {
  std::string out;
  for (const TableBlock& block : page)
    out += fmt::format("{}\\AblateFit{{%\n{}}}\n", out.empty() ? "" : "\\par\\medskip\n",
                       panel_tex(table, *block.columns, block.rows));
  return out;
}

std::string gap_tex(const TextSize& size) {
  return fmt::format("{}\\setlength{{\\tabcolsep}}{{{}pt}}", size.command, size.gap);
}

/// The notes, in small print across the float.
std::string notes_tex(const Table& table) {
  std::string notes;
  for (const std::string& note : table.notes) notes += latex_breakable(note) + "\\par\n";
  notes += marks_note(table);
  if (notes.empty()) return "";
  return "\\par\\smallskip{}\n\\begin{minipage}{\\linewidth}\\footnotesize\\raggedright%\n" +
         notes + "\\end{minipage}\n";
}

bool has_mark(const Table& table, Standing standing) {
  return std::any_of(table.rows.begin(), table.rows.end(), [&](const Row& row) {
    return std::any_of(row.cells.begin(), row.cells.end(),
                       [&](const Cell& cell) { return cell.standing == standing; });
  });
}

}  // namespace

std::string tabular(const Table& table, const Venue& venue) {
  std::string out;
  for (const auto& panel : table_layout(table, space_for(table, venue).width).panels)
    out += (out.empty() ? "" : "\\par\\medskip\n") + panel_tex(table, panel, table.rows) + "\n";
  return out;
}

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
  const FloatSpace space = space_for(table, venue);
  const TableLayout layout = table_layout(table, space.width);
  const std::vector<FloatPage> pages = pages_of(table, layout, space);
  std::string out;
  for (std::size_t i = 0; i < pages.size(); ++i) {
    const bool first = i == 0, last = i + 1 == pages.size();
    out += fmt::format(
        "\\begin{{{}}}[{}]\n\\centering\n\\caption{{{}{}}}{}\n\\smallskip{{}}{}\n{}{}\\end{{{}}}\n",
        space.environment, pages.size() == 1 && !space.turned ? "tb" : "p",
        latex_breakable(table.caption), first ? "" : " (continued)",
        first ? fmt::format("\\label{{tab:{}:{}}}", label_part(experiment), table.name) : "",
        gap_tex(layout.size), page_tex(table, pages[i]), last ? notes_tex(table) : "",
        space.environment);
  }
  return space.turned ? "\\begin{landscape}\n" + out + "\\end{landscape}\n" : out;
}

}  // namespace ablate::reports

#include "reports/paper/tables/panels.h"

#include <algorithm>

namespace ablate::reports {
namespace {

constexpr TextSize kSmall = {"\\small", 9.3, 11, 6};
constexpr TextSize kSmaller = {"\\footnotesize", 8.5, 9.5, 4};

constexpr double kFirst = 0.27;  // of the width, at most for the column that each panel repeats
constexpr double kText = 0.3;    // of the width, at most for another column of text

using Panel = std::vector<PaperColumn>;

/// Columns in order, in panels of at most this width; the first column is in all of them.
std::vector<Panel> filled(const Panel& columns, double width, const TextSize& size) {
  std::vector<Panel> panels = {{columns.front()}};
  for (std::size_t i = 1; i < columns.size(); ++i) {
    panels.back().push_back(columns[i]);
    if (panels.back().size() == 2 || width_of(panels.back(), size) <= width) continue;
    panels.back().pop_back();
    panels.push_back({columns.front(), columns[i]});
  }
  return panels;
}

/// As few panels as fit, of about the same width.
std::vector<Panel> balanced(const Panel& columns, double width, const TextSize& size) {
  const std::size_t count = filled(columns, width, size).size();
  double narrow = 0, wide = width;
  for (int i = 0; i < 12; ++i) {
    const double middle = (narrow + wide) / 2;
    (filled(columns, middle, size).size() > count ? narrow : wide) = middle;
  }
  return filled(columns, wide, size);
}

/// Gives what is left of the width to columns whose text is wrapped.
void widen(Panel& panel, double width, const TextSize& size) {
  for (auto column = panel.rbegin(); column != panel.rend(); ++column) {
    if (column->shape != Shape::wrapped) continue;
    const double left = (width - width_of(panel, size)) / size.quad;
    column->width = std::min(column->natural, column->width + std::max(left, 0.));
    if (column->width == column->natural) column->shape = Shape::text;
  }
}

}  // namespace

double width_of(const std::vector<PaperColumn>& columns, const TextSize& size) {
  double sum = -2 * size.gap;
  for (const PaperColumn& column : columns) sum += column.width * size.quad + 2 * size.gap;
  return sum;
}

TableLayout table_layout(const Table& table, double width) {
  Panel columns = columns_of(table);
  if (width_of(columns, kSmall) <= width) return {kSmall, {columns}};
  for (PaperColumn& column : columns)
    wrap(column, (column.index == 0 ? kFirst : kText) * width / kSmaller.quad);
  TableLayout layout{kSmaller, balanced(columns, width, kSmaller)};
  for (Panel& panel : layout.panels) widen(panel, width, kSmaller);
  return layout;
}

}  // namespace ablate::reports

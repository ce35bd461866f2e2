// A wide table as panels below each other, each no wider than the page.

#pragma once

#include <vector>

#include "reports/paper/tables/columns.h"

namespace ablate::reports {

/// The size of a table's text. None is below 8 points.
struct TextSize {
  const char* command;  // of LaTeX
  double quad;          // points
  double line;          // points from line to line
  double gap;           // points: half of the space between columns
};

/// How a table is set.
struct TableLayout {
  TextSize size;
  std::vector<std::vector<PaperColumn>> panels;  // at least one; each begins with the first column
};

/// The layout on this width, in points: the table in small print where it fits, and else smaller,
/// with long texts wrapped, in as few panels as there can be.
TableLayout table_layout(const Table& table, double width);

/// The width of columns side by side, in points.
double width_of(const std::vector<PaperColumn>& columns, const TextSize& size);

}  // namespace ablate::reports

// The columns of a table on paper: how each is set, and how wide it is.

#pragma once

#include <span>
#include <string>
#include <vector>

#include "reports/tables/table.h"

namespace ablate::reports {

/// How a column is set: an estimate is two columns, so that the signs ± stand below each other.
enum class Shape { text, wrapped, number, estimate };

/// A column of a table.
struct PaperColumn {
  std::size_t index = 0;  // among the columns of the table
  Shape shape = Shape::text;
  std::string group;              // the probe of a metric, which stands above its columns; or empty
  std::vector<std::string> head;  // the lines of its name, raw
  std::string unit = {};          // in brackets below the name; or empty
  double natural = 0;             // quads, with no text wrapped
  double width = 0;               // quads, as it is set
};

/// All columns of a table, as wide as they are by nature.
std::vector<PaperColumn> columns_of(const Table& table);

/// Wraps the text of a column that is wider than this, in quads.
void wrap(PaperColumn& column, double maximum);

/// The lines that a row has in these columns.
int lines_of(const Row& row, std::span<const PaperColumn> columns);

/// The lines of the columns' head: groups, names and units.
int head_lines(std::span<const PaperColumn> columns);

}  // namespace ablate::reports

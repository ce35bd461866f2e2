// A table as LaTeX floats, each of which fits on a page.

#pragma once

#include <string>

#include "reports/formats/venue.h"
#include "reports/tables/table.h"

namespace ablate::reports {

/// The `tabular` of a table and nothing around it; of one that is wider than the page, several below
/// each other, each with the first column. \footnotesize where it would not fit otherwise.
std::string tabular(const Table& table, const Venue& venue);

/// What the marks in the cells of a table mean; empty where it has none.
std::string marks_note(const Table& table);

/// The table as a float with caption, label and notes; the label is "tab:EXPERIMENT:TABLE". One
/// that is too long for a page becomes several, of which the first has the label. On pages with two
/// columns a wide one spans both. One that would be more than two panels, and fewer across the long
/// side of a page, is turned; the main table never is.
std::string table_float(const Table& table, std::string_view experiment, const Venue& venue);

}  // namespace ablate::reports

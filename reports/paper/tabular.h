// Tables in LaTeX, with booktabs.

#pragma once

#include <string>

#include "reports/formats/venue.h"
#include "reports/tables/table.h"

namespace ablate::reports {

/// The `tabular` of a table and nothing around it. An estimate is two columns, so that the signs ±
/// stand below each other; the best of a column is bold. Long texts wrap.
std::string tabular(const Table& table);

/// What the marks in the cells of a table mean; empty where it has none.
std::string marks_note(const Table& table);

/// The table as a float with caption, label and notes; the label is "tab:EXPERIMENT:TABLE". One
/// that is too long for a page becomes several, of which the first has the label. On pages with two
/// columns a wide one spans both.
std::string table_float(const Table& table, std::string_view experiment, const Venue& venue);

}  // namespace ablate::reports

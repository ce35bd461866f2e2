// Tables in LaTeX, with booktabs.

#pragma once

#include <span>
#include <string>

#include "reports/paper/tables/panels.h"

namespace ablate::reports {

/// A `tabular` of these columns and rows, and nothing around it. The metrics of a probe stand under
/// its name, units have a line of their own, and the best of a column is bold.
std::string panel_tex(const Table& table, std::span<const PaperColumn> columns,
                      std::span<const Row> rows);

}  // namespace ablate::reports

// Tables of metrics by arms, in the orientation that fits the page.

#pragma once

#include <functional>
#include <string>
#include <vector>

#include "reports/tables/table.h"

namespace ablate::reports {

using Metrics = std::vector<const MetricRow*>;
using Arms = std::vector<const ArmResult*>;

/// Metrics by arms, before rows and columns are chosen.
struct Grid {
  std::string name, caption;
  Metrics metrics;
  Arms arms;
  std::function<Cell(const ArmResult&, const MetricRow&)> cell;
  std::function<std::vector<std::string>(const Metrics&)> notes;
};

/// The grid as the smallest number of tables that fit a page; many metrics of few arms become rows.
/// A table is named after the grid, with a number. Notes on metrics are below the table that shows
/// them, or below the last table.
std::vector<Table> laid_out(const Grid& grid);

}  // namespace ablate::reports

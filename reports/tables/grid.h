// Tables of metrics by arms, in whichever orientation fits the page.

#pragma once

#include <functional>
#include <string>
#include <vector>

#include "reports/tables/table.h"

namespace ablate::reports {

using Metrics = std::vector<const MetricRow*>;
using Arms = std::vector<const ArmResult*>;

/// Metrics by arms, before it is decided which of them are the rows.
struct Grid {
  std::string name, caption;
  Metrics metrics;
  Arms arms;
  std::function<Cell(const ArmResult&, const MetricRow&)> cell;
  std::function<std::vector<std::string>(const Metrics&)> notes;
};

/// The grid as the fewest tables that fit a page: many metrics of few arms are rows. Tables are named
/// after the grid with a number; notes on metrics stand below the table that shows them, or below
/// the last.
std::vector<Table> laid_out(const Grid& grid);

}  // namespace ablate::reports

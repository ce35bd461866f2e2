// Tables of metrics by arms, whichever of them goes downwards.

#pragma once

#include <functional>
#include <string>
#include <vector>

#include "reports/tables/table.h"

namespace ablate::reports {

using Metrics = std::vector<const MetricRow*>;
using Arms = std::vector<const ArmResult*>;

/// Metrics by arms, before it is decided which of them go downwards.
struct Grid {
  std::string name, caption;
  Metrics metrics;
  Arms arms;
  std::function<Cell(const ArmResult&, const MetricRow&)> cell;
  std::function<std::vector<std::string>(const Metrics&)> notes;
};

/// As few tables as fit a page: many metrics of few arms go downwards. Names are the grid's with a
/// number; notes of metrics stand below the table that shows them, or below the last.
std::vector<Table> laid_out(const Grid& grid);

}  // namespace ablate::reports

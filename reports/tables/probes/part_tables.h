// Tables of accuracies by field and by group of items.

#pragma once

#include <string>
#include <vector>

#include "reports/analysis/probes/arm_parts.h"
#include "reports/tables/grid.h"

namespace ablate::reports {

/// For each of the metrics whose items have parts: by field, a row for each field and arm with
/// its items, its accuracy over seeds and the error of the items; by group (BLiMP's paradigms), a row
/// for each group and a column for each arm, where that fits a page.
std::vector<Table> part_tables(const std::vector<ArmParts>& all, const Metrics& metrics);

}  // namespace ablate::reports

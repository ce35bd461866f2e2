// The table of comparisons between arms that share no seeds.

#pragma once

#include "reports/analysis/comparisons/unpaired.h"
#include "reports/tables/table.h"

namespace ablate::reports {

/// A row for each comparison that cannot be paired. Without rows where all can.
Table unpaired_table(const Analysis& analysis, const std::vector<UnpairedDifference>& all);

}  // namespace ablate::reports

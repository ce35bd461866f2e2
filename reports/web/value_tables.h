// Every value behind the numbers of a page: by arm, metric and seed.

#pragma once

#include <vector>

#include "reports/analysis/analysis.h"
#include "reports/tables/table.h"

namespace ablate::reports {

/// A table for each probe: a row for each arm and metric, and for each difference from the baseline,
/// with n, mean, interval and the value of every seed, which leads to the row of its trial. The rows
/// have the anchors of the estimates. `analysis` may be that of the common learning rate; `trials`
/// is the one whose trials the page lists (trials_table).
std::vector<Table> value_tables(const Analysis& analysis, const Analysis& trials);

}  // namespace ablate::reports

// The main table: the comparison that the experiment was made for.

#pragma once

#include "reports/analysis/analysis.h"
#include "reports/tables/table.h"

namespace ablate::reports {

/// Two arms: a row for each metric that both have, with the difference. More arms, or no baseline:
/// a row for each arm, with the primary metric and up to three that may be compared across all
/// arms.
Table main_table(const Analysis& analysis);

}  // namespace ablate::reports

// The table of which swept arm overtakes which.

#pragma once

#include <string>

#include "reports/analysis/analysis.h"
#include "reports/tables/table.h"

namespace ablate::reports {

/// A row for each metric of each two families that sweep over the same number: who is ahead at its
/// ends, and where they cross. Without rows where no two families do.
Table crossing_table(const Analysis& analysis);

/// " mlm overtakes clm at train.budget.tokens = 549 k (95 % interval 390 k to 668 k).", for each two
/// families that cross once in the primary metric; empty where none do.
std::string overtaking(const Analysis& analysis);

}  // namespace ablate::reports

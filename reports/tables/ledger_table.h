// What each arm spent.

#pragma once

#include "reports/analysis/analysis.h"
#include "reports/tables/table.h"

namespace ablate::reports {

/// What each arm spent, by every way of counting: the mean over its completed trials, or what the
/// plan priced where none has completed. What is the same in every arm is a note.
Table ledger_table(const store::Records& records, const Analysis& analysis);

}  // namespace ablate::reports

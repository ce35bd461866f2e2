// The table of what each arm has used.

#pragma once

#include "reports/analysis/analysis.h"
#include "reports/tables/table.h"

namespace ablate::reports {

/// What each arm has used, in every unit: the mean over its completed trials, or the plan's
/// estimate where none has completed. Values that are the same in every arm are in a note.
Table ledger_table(const store::Records& records, const Analysis& analysis);

}  // namespace ablate::reports

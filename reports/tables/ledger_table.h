// The table of what each arm has used.

#pragma once

#include "reports/analysis/analysis.h"
#include "reports/tables/table.h"

namespace ablate::reports {

/// What each arm has used, in every unit: the mean over its completed trials. Where no trial of any
/// arm has completed, the plan's estimates. Values that are the same in every arm are in a note.
Table ledger_table(const Analysis& analysis);

}  // namespace ablate::reports

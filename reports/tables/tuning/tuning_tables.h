// The tables of a tuned experiment: what was tried, what the best of n would be, what it cost.

#pragma once

#include "reports/analysis/tuning/tuning_record.h"
#include "reports/tables/table.h"

namespace ablate::reports {

/// The criterion at every learning rate, the rate that was chosen, and how sensitive each arm is.
Table rates_table(const TuningRecord& record);

/// The criterion that the best of n rates is expected to have, for every n up to all of them.
Table expected_best_table(const TuningRecord& record);

/// What tuning spent, apart from what the result spent.
Table tuning_ledger_table(const TuningRecord& record, const Analysis& own, const Analysis& common);

}  // namespace ablate::reports

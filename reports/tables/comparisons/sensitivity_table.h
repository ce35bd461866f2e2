// The table of how much each primary comparison depends on the choice of test.

#pragma once

#include "reports/analysis/comparisons/sensitivity.h"
#include "reports/tables/table.h"

namespace ablate::reports {

/// A row for each primary difference that has a value: the declared test beside others, and the
/// size of the effect. Without rows where there is none.
Table sensitivity_table(const Analysis& analysis, const std::vector<Sensitivity>& all);

}  // namespace ablate::reports

// The table of trends along swept numbers.

#pragma once

#include "reports/analysis/sweeps/trends.h"
#include "reports/tables/table.h"

namespace ablate::reports {

/// The trends that the experiment declared, with their adjusted p and a verdict. Without rows where
/// it declared none.
Table declared_trend_table(const Analysis& analysis);

/// A row for each family of arms that sweeps over three values of a number or more: the linear and
/// the quadratic trend of the primary metric. Without rows where there is none.
Table trend_table(const Analysis& analysis, const std::vector<Trend>& trends);

}  // namespace ablate::reports

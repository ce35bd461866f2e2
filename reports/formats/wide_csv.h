// Metrics as columns: what a spreadsheet shows at a glance, and long files are for programs.

#pragma once

#include <string>

#include "reports/analysis/analysis.h"

namespace ablate::reports {

/// "wide.csv": one row an arm, with METRIC (the mean), METRIC_half_width (of the 95 % t-interval) and
/// METRIC_n for each metric.
std::string wide_csv(const Analysis& analysis);

/// "trials_wide.csv": one row a trial, with a column for each metric.
std::string trials_wide_csv(const Analysis& analysis);

}  // namespace ablate::reports

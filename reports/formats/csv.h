// The report for spreadsheets and data frames, by RFC 4180.

#pragma once

#include <string>

#include "reports/analysis/analysis.h"

namespace ablate::reports {

/// One row a trial and metric: experiment, arm, baseline, objective, seed, trial, outcome, metric,
/// unit, better, value. A trial without a value has its rows, with the value empty.
std::string trials_csv(const Analysis& analysis);

/// One row an arm and metric: estimate, and the difference from the baseline.
std::string summary_csv(const Analysis& analysis);

}  // namespace ablate::reports

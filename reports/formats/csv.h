// The report for spreadsheets and data frames, by RFC 4180.

#pragma once

#include "reports/formats/format.h"

namespace ablate::reports {

/// "csv":
///   trials.csv   a row for each trial and metric: experiment, arm, baseline, objective, seed, trial,
///                outcome, metric, unit, better, value. A trial without a value keeps its rows, with
///                the value empty.
///   summary.csv  a row for each arm and metric: the estimate, and the difference from the baseline.
Format csv_format();

}  // namespace ablate::reports

// The report for spreadsheets and data frames, by RFC 4180.

#pragma once

#include "reports/formats/format.h"

namespace ablate::reports {

/// "csv":
///   trials.csv   up to 20,000 trials, a row for each trial and metric: experiment, arm, baseline, objective, seed,
///                trial, outcome, metric, unit, better, value, label. A trial without a value
///                keeps its rows, with the value empty. The label is the arm's name for readers.
///   summary.csv  a row for each arm and metric: the estimate, the difference from the baseline,
///                and the label.
Format csv_format();

}  // namespace ablate::reports

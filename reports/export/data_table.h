// Tidy tables: one row an observation, one column a variable, for data frames and databases.

#pragma once

#include <span>
#include <string>
#include <vector>

#include "harness/base/json/json.h"
#include "reports/analysis/analysis.h"

namespace ablate::reports {

/// A table of raw values. A cell is null, a boolean, a number (which may be NaN or infinite) or a
/// text.
struct DataTable {
  std::string name;  // a-z: the name of its file
  std::vector<std::string> columns;
  std::vector<std::vector<Json>> rows;  // each as long as `columns`
};

/// The tables of experiments, whose rows begin with "experiment", "trial", "arm" and "seed":
///   trials   label, objective, baseline, outcome, message, attempts, started, ended
///   metrics  metric, value, unit, better, comparable_across; of what is trained
///   dynamics metric, value, step, text_tokens, targets, flops, seconds; on the way
///   curves   step, text_tokens, loss (null where nothing was scored), learning_rate, gradient_norm,
///            spike
///   samples  number (from 1), text, about (a JSON text)
///   ledger   quantity (a dotted path), value
std::vector<DataTable> tidy_tables(std::span<const Analysis> experiments);

}  // namespace ablate::reports

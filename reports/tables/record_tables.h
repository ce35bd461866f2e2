// What every trial left, what failed, and where the numbers came from.

#pragma once

#include <string>
#include <vector>

#include "reports/analysis/analysis.h"
#include "reports/tables/table.h"

namespace ablate::reports {

/// Every trial: its id, seed, outcome, attempts, steps and seconds.
Table trials_table(const Analysis& analysis);

/// Machine, code and libraries: a row for each fact, with the trials counted where they differ.
Table provenance_table(const Analysis& analysis);

/// "mlm: 1 of 6 trials diverged (seed 3)": a line for each arm and outcome other than completed.
std::vector<std::string> failures(const Analysis& analysis);

/// "mlm, seed 3, diverged: loss was nan": the first line of each such trial's message.
std::vector<std::string> messages(const Analysis& analysis);

}  // namespace ablate::reports

// The table of what the objectives did to the text, next to what they intended.

#pragma once

#include "reports/analysis/analysis.h"
#include "reports/tables/table.h"

namespace ablate::reports {

/// The rates that each arm's objective realised, with the intended ones in brackets, and its
/// settings. An arm trained in phases has a row for each phase. Without rows where no trial
/// recorded rates.
Table realised_table(const Analysis& analysis);

}  // namespace ablate::reports

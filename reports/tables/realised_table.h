// What the objectives did to the text: the intended rate is not evidence.

#pragma once

#include "reports/analysis/analysis.h"
#include "reports/tables/table.h"

namespace ablate::reports {

/// The rates that each arm's objective realised, with what it intended in brackets and its settings;
/// an arm trained in phases has a row for each phase. Without rows where no trial recorded any.
Table realised_table(const Analysis& analysis);

}  // namespace ablate::reports

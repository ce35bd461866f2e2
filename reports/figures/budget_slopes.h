// How the ranking of arms changes with the budget that is held equal.

#pragma once

#include "reports/analysis/analysis.h"
#include "reports/document/document.h"

namespace ablate::reports {

/// A line for each arm through its rank by each way of counting a budget, the best on top. No plots
/// below two ways, and with more than 12 arms.
Figure budget_slopes(const Analysis& analysis);

}  // namespace ablate::reports

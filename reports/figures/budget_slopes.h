// How the ranking of arms changes with the budget that is held equal.

#pragma once

#include "reports/analysis/analysis.h"
#include "reports/analysis/budgets/rankings.h"
#include "reports/document/document.h"

namespace ablate::reports {

/// What a slope chart has room for.
inline constexpr std::size_t kMaxSlopes = 12;

/// Whether a slope chart of these rankings can be drawn: by two modes or more, of at most
/// kMaxSlopes arms.
bool has_slopes(const BudgetRankings& rankings);

/// A line for each arm through its rank by each mode, the best on top. No panels where has_slopes()
/// is false.
Figure budget_slopes(const Analysis& analysis);

/// The caption, which the drawing for a paper shares.
std::string slopes_caption(const BudgetRankings& rankings);

}  // namespace ablate::reports

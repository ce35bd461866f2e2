// What the primary metric cost, and how arms rank at equal budgets.

#pragma once

#include <string>
#include <vector>

#include "reports/analysis/answer/statement.h"
#include "reports/analysis/budgets/costs.h"
#include "reports/tables/table.h"

namespace ablate::reports {

/// "3.2 M tokens", "9.1 TFLOPs", "38 s".
std::string amount_spent(double budget, const BudgetMode& mode);

/// "costs": each comparable arm's primary metric beside what it spent, and the arms that dominate
/// it; where what arms spent differs by a count. "budgets": the ranking at the largest budget that
/// all arms reach, by each mode; where that is possible by two modes.
std::vector<Table> budget_tables(const Analysis& analysis);

/// "In state.accuracy, the order depends on what is held equal: at 2.0 M tokens clm is ahead of mlm
/// by 0.02 ± 0.01, at 9.1 TFLOPs mlm by 0.01 ± 0.005." Only of flips where both intervals exclude
/// 0.
std::vector<Statement> flip_statements(const Analysis& analysis);

}  // namespace ablate::reports

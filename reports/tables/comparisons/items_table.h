// Differences by test item, as a table.

#pragma once

#include "reports/analysis/comparisons/item_differences.h"
#include "reports/tables/table.h"

namespace ablate::reports {

/// Each difference of a metric that was stored by test item: what other seeds and what other test
/// items would change, and how many pairs of trained models differ by McNemar's test. No rows where
/// no metric was stored so.
Table items_table(const Analysis& analysis, const std::vector<ItemDifference>& all);

}  // namespace ablate::reports

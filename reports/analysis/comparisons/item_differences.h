// Differences by test item: whether other test items would have changed them, beside other seeds.

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "harness/statistics/items/hierarchical_bootstrap.h"
#include "reports/analysis/analysis.h"

namespace ablate::reports {

/// A difference whose metric was stored for every test item.
struct ItemDifference {
  const Difference* difference = nullptr;
  std::int64_t seeds = 0;  // that have the same items in both arms
  std::int64_t items = 0;  // of the seed that has fewest
  statistics::SeedsAndItems both;

  /// Of the seeds, those whose two trained models differ by McNemar's test at alpha, before any
  /// correction. Absent where an item can be worth other than 0 or 1.
  std::optional<std::int64_t> models_differ;
};

/// The differences of metrics with items, in the order of the differences; those that have fewer
/// than two seeds with items are left out. The result points into the analysis.
std::vector<ItemDifference> item_differences(const Analysis& analysis);

}  // namespace ablate::reports

// What varies with the seed, and what with the test items.

#pragma once

#include <vector>

#include "harness/base/rng.h"
#include "harness/statistics/one_sample/summary.h"

namespace ablate::statistics {

/// Resamples of the interval: ends to within about 2 % of its width.
constexpr std::uint64_t kItemResamples = 2'000;

/// The mean over seeds of each seed's mean over items, and what it would vary by.
struct SeedsAndItems {
  double mean = 0;
  Interval interval;      // percentiles of kItemResamples in which seeds and items are drawn anew
  double seed_error = 0;  // standard error where only seeds are, exact
  double item_error = 0;  // standard error where only items within the given seeds are, exact
};

/// Draws seeds with replacement and, within each seed drawn, items with replacement: for items that
/// every seed draws anew. `by_seed`: [seed][item], for instance paired differences of losses; seeds
/// may differ in their number of items. Source: Davison and Hinkley 1997, "Bootstrap Methods and
/// their Application", section 3.8. Requires: two seeds or more, each with an item.
SeedsAndItems hierarchical_bootstrap(const std::vector<std::vector<double>>& by_seed, Rng rng,
                                     double alpha = 0.05);

}  // namespace ablate::statistics

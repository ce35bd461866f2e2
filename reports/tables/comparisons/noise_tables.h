// What `ablate noise` shows: how much metrics vary between seeds, and what n seeds then show.

#pragma once

#include <cstdint>
#include <vector>

#include "reports/analysis/analysis.h"
#include "reports/tables/table.h"

namespace ablate::reports {

/// The numbers of seeds for which the table of effects has a column.
inline constexpr std::int64_t kSeedColumns[] = {6, 8, 10, 12, 16, 20, 24};

/// The standard deviation of every metric of every arm; that of every paired difference; and the
/// smallest effect that the sign-flip test finds with power .8 by number of seeds. `comparisons`: that
/// share alpha in the experiment which is planned. Tables without rows are left out.
std::vector<Table> noise_tables(const Analysis& analysis, std::int64_t comparisons);

/// The same for programs:
///   {"experiment", "alpha", "correction", "comparisons",
///    "spreads": [{"arm", "metric", "unit", "paired", "n", "mean" unless paired, "sd",
///                 "ci": [low, high], "variance_ratio" of a paired one}],
///    "effects": [{"metric", "arm", "paired", "seeds": {N: smallest effect, null where none is found}}]}
/// The mean of a difference is left out: to look at it is to test it.
Json noise_json(const Analysis& analysis, std::int64_t comparisons);

}  // namespace ablate::reports

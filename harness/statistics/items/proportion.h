// Intervals of a proportion, such as the accuracy of one trained model on test items. Reports show means
// over seeds, so that these serve those who take single models from a store, and tests.

#pragma once

#include <cstdint>

#include "harness/statistics/one_sample/summary.h"

namespace ablate::statistics {

/// Wilson's interval: close to its confidence 1 - alpha on average, also near 0 and 1.
/// Source: Wilson 1927, Journal of the American Statistical Association 22(158).
/// Requires: 0 <= successes <= items, items > 0.
Interval wilson_interval(std::int64_t successes, std::int64_t items, double alpha = 0.05);

/// The exact interval, which Wilson's is held against in tests: its confidence is never below 1 - alpha, and usually above.
/// Source: Clopper and Pearson 1934, Biometrika 26(4). Requires the same.
Interval clopper_pearson_interval(std::int64_t successes, std::int64_t items, double alpha = 0.05);

}  // namespace ablate::statistics

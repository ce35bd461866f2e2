// How well a sample's standard deviation is known.

#pragma once

#include <span>

#include "harness/statistics/one_sample/summary.h"

namespace ablate::statistics {

/// The chi-squared interval of the standard deviation of normal values, at confidence 1 - alpha:
/// s sqrt((n - 1) / q) between the upper and the lower quantile q. With few values it is wide: from
/// .66 to 2.04 s with 8. Requires at least two values.
Interval deviation_interval(std::span<const double> values, double alpha = 0.05);

}  // namespace ablate::statistics

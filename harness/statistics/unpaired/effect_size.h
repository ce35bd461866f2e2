// How far two independent samples lie apart, in units that do not depend on the metric.

#pragma once

#include <optional>
#include <span>

namespace ablate::statistics {

/// Hedges' g: the difference of the means in pooled standard deviations, corrected for the bias of
/// small samples. Absent below two values in a sample, and where neither has a spread.
/// Source: Hedges 1981, Journal of Educational Statistics 6(2), with the exact factor
/// gamma(df / 2) / (sqrt(df / 2) gamma((df - 1) / 2)), to which 1 - 3 / (4 df - 1) is an approximation.
std::optional<double> hedges_g(std::span<const double> x, std::span<const double> y);

/// A12: the probability that a value of `x` is larger than one of `y`, a tie counted a half;
/// values that are equal but for rounding tie. Source: Vargha and Delaney 2000, Journal of Educational
/// and Behavioral Statistics 25(2). Requires a value in each.
double probability_of_superiority(std::span<const double> x, std::span<const double> y);

}  // namespace ablate::statistics

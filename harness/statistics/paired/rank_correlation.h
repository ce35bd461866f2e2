// Spearman's rank correlation.

#pragma once

#include <span>

namespace ablate::statistics {

/// The correlation of the ranks of paired values, in [-1, 1]; ties have the mean of their ranks. NaN
/// where one of the two has no spread. Source: Spearman 1904, American Journal of Psychology 15(1).
/// Requires: as many of one as of the other, at least one.
double spearman(std::span<const double> x, std::span<const double> y);

}  // namespace ablate::statistics

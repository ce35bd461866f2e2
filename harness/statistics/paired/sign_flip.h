// The sign-flip permutation test of paired differences. Deterministic: it draws no random signs.

#pragma once

#include <cstdint>
#include <span>

namespace ablate::statistics {

/// The largest number of differences whose sign patterns are all counted.
constexpr std::int64_t kMaxEnumeratedDifferences = 32;

/// More differences are rounded to multiples of 1 / kRoundingSteps of the sum of their sizes.
constexpr double kRoundingSteps = 1 << 16;

/// Two-sided sign-flip permutation test of mean zero: the fraction of the 2^n sign patterns whose
/// mean is at least as far from 0 as the observed one. Above kMaxEnumeratedDifferences, that of the
/// differences rounded to multiples of 1 / kRoundingSteps of the sum of their sizes. 1 for no
/// values. Requires finite values.
/// Source: Fisher 1935, "The Design of Experiments", section 21. The distribution of integer sums:
/// Pagano and Tritchler 1983, Journal of the American Statistical Association 78(382).
double sign_flip_p(std::span<const double> differences);

/// The smallest p that `n` differences can reach: 2^(1 - n); 1 below one difference.
double minimum_sign_flip_p(std::int64_t n);

/// The fewest differences whose test can give a p below `level`. Requires: 0 < level.
std::int64_t fewest_for_sign_flip(double level);

}  // namespace ablate::statistics

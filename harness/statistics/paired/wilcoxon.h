// Wilcoxon's signed-rank test of paired differences. Deterministic.

#pragma once

#include <cstddef>
#include <span>

namespace ablate::statistics {

/// The most differences that may be ranked: the null distribution is counted exactly.
constexpr std::size_t kMaxSignedRanks = 300;

/// The smaller of the rank sums of positive and negative differences, and its two-sided p-value.
struct SignedRank {
  double w = 0;
  double p = 1;
};

/// Two-sided test that the differences are symmetric about zero: the sign-flip test of their ranks
/// by size. Differences of zero are left out, and ties have the mean of their ranks, both but for
/// rounding (kDifferenceRounding of the largest); the p-value is exact for these ranks. Source: Wilcoxon 1945, Biometrics Bulletin 1(6).
/// Requires: at most kMaxSignedRanks finite values.
SignedRank wilcoxon(std::span<const double> differences);

}  // namespace ablate::statistics

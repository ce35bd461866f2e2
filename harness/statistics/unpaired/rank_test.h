// The Mann-Whitney rank test of two independent samples. Deterministic.

#pragma once

#include <cstddef>
#include <span>

namespace ablate::statistics {

/// The largest sample for which the null distribution is counted exactly.
constexpr std::size_t kMaxRanked = 100;

/// Two-sided p of "neither sample tends to be larger": twice the smaller tail. Up to kMaxRanked values in
/// each it is exact, ties or not: of all ways in which the pooled values, as they are, fall into samples of
/// these sizes, the fraction whose rank sum lies as far out. Values that are equal but for rounding tie. Beyond
/// that it is asymptotic_mann_whitney_p(). Source: Mann and Whitney 1947, Annals of Mathematical Statistics
/// 18(1); with ties, Lehmann 1975, "Nonparametrics", section 1.4. Requires: a value in each, all finite.
double mann_whitney_p(std::span<const double> x, std::span<const double> y);

/// The same by the normal distribution that U approaches, its variance corrected for ties. With the
/// correction for continuity U is taken a half closer to its mean. 1 where all values tie.
double asymptotic_mann_whitney_p(std::span<const double> x, std::span<const double> y,
                                 bool for_continuity = true);

/// The smallest p that mann_whitney_p() can return for samples of these sizes: a rule that asks for
/// less never fires.
double least_mann_whitney_p(std::size_t x, std::size_t y);

}  // namespace ablate::statistics

// The Mann-Whitney rank test of two independent samples. Deterministic.

#pragma once

#include <cstddef>
#include <span>

namespace ablate::statistics {

/// The largest sample for which the null distribution is counted exactly.
constexpr std::size_t kMaxRanked = 100;

/// Two-sided p of "neither sample tends to be larger". Up to kMaxRanked values in each it is from the
/// exact distribution of U, and with ties at least as large as it should be; beyond that it is
/// asymptotic_mann_whitney_p(). Source: Mann and Whitney 1947, Annals of Mathematical Statistics
/// 18(1). Requires: a value in each, all finite.
double mann_whitney_p(std::span<const double> x, std::span<const double> y);

/// The same by the normal distribution that U approaches, its variance corrected for ties. With the
/// correction for continuity U is taken a half closer to its mean. 1 where all values tie.
double asymptotic_mann_whitney_p(std::span<const double> x, std::span<const double> y,
                                 bool for_continuity = true);

/// The smallest p that mann_whitney_p() can return for samples of these sizes: a rule that asks for
/// less never fires.
double least_mann_whitney_p(std::size_t x, std::size_t y);

}  // namespace ablate::statistics

// The Mann-Whitney rank test of two independent samples. Deterministic.

#pragma once

#include <cstddef>
#include <span>

namespace ablate::statistics {

/// The most values that a sample may have: the null distribution is counted exactly.
constexpr std::size_t kMaxRanked = 100;

/// Two-sided p of "neither sample tends to be larger", from the exact distribution of U. With ties
/// it is at least as large as it should be. Source: Mann and Whitney 1947, Annals of Mathematical
/// Statistics 18(1). Requires: 1 to kMaxRanked finite values in each.
double mann_whitney_p(std::span<const double> x, std::span<const double> y);

/// The smallest p that mann_whitney_p() can return for samples of these sizes: a rule that asks for
/// less never fires.
double least_mann_whitney_p(std::size_t x, std::size_t y);

}  // namespace ablate::statistics

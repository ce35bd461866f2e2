// Which measured numbers are equal: those that only rounding tells apart.
//
// 13/20 - 12/20 and 20/20 - 19/20 are the same difference of accuracies, but not the same double. Whatever decides by an
// order, a sign or a zero (ranks, rank tests, sign tests, crossings) asks here.

#pragma once

#include <span>
#include <vector>

namespace ablate::statistics {

/// Measured numbers that differ by no more than this fraction of their size are equal.
inline constexpr double kRounding = 1e-12;

/// The same of differences: they keep the rounding of the numbers that they were taken of, which are larger.
inline constexpr double kDifferenceRounding = 1e-9;

/// a - b; exactly 0 where the two are equal.
double difference(double a, double b);

/// a - b, pair by pair. Requires: as many of one as of the other.
std::vector<double> differences(std::span<const double> a, std::span<const double> b);

/// The values, those of equal size given one and the same size, and 0 where they are equal to 0. Sizes are
/// equal where they differ by no more than `rounding` times the largest of all. Requires: all finite.
std::vector<double> tied(std::span<const double> values, double rounding = kRounding);

/// Whether all values are equal, as by tied().
bool all_tied(std::span<const double> values, double rounding = kRounding);

}  // namespace ablate::statistics

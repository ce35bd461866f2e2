// Ranks of values.

#pragma once

#include <span>
#include <vector>

namespace ablate::statistics {

/// The rank of each value, 1 for the smallest; values that are equal but for rounding have the mean of
/// their ranks. Requires: all finite.
std::vector<double> midranks(std::span<const double> values);

}  // namespace ablate::statistics

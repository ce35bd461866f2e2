// Ranks of values.

#pragma once

#include <span>
#include <vector>

namespace ablate::statistics {

/// The rank of each value, 1 for the smallest; tied values have the mean of their ranks.
std::vector<double> midranks(std::span<const double> values);

}  // namespace ablate::statistics

// The distribution of a sum of steps, each taken or left at random.

#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace ablate::statistics {

/// The probability of each sum, from 0 to that of all steps, if each step is taken with probability 1/2. By dynamic programming over
/// the steps, since integer sums are few whatever their number.
/// Source: Pagano and Tritchler 1983, Journal of the American Statistical Association 78(382).
std::vector<double> distribution_of_sums(std::span<const std::size_t> steps);

}  // namespace ablate::statistics

// Steps in a history of values. Deterministic.

#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace ablate::statistics {

/// A stretch of a history with one level.
struct Level {
  std::size_t first = 0;
  std::size_t count = 0;
  double median = 0;
};

/// The shortest level, in values: one alone is an outlier.
inline constexpr std::size_t kShortestLevel = 2;

/// The values [first, first + count) of a history as a level. Requires: count >= 1.
Level level_of(std::span<const double> history, std::size_t first, std::size_t count);

/// The history as levels, fewest that explain it: the least sum of absolute deviations from the
/// levels' medians and `penalty` a level (a Potts model with an L1 cost). A level has two values or more, so that one
/// outlier is none. Source: Weinmann, Storath and Demaret 2015, "The L1-Potts functional for robust jump
/// reconstruction", SIAM Journal on Numerical Analysis 53(1). O(n^2 log n).
std::vector<Level> levels_of(std::span<const double> history, double penalty);

/// A penalty for histories with independent noise: 4 ln(n) mean absolute deviations, where the
/// deviation is estimated from neighbours' differences. A step shows if it outlasts its noise.
double usual_penalty(std::span<const double> history);

}  // namespace ablate::statistics

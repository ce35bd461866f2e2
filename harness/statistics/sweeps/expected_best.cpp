#include "harness/statistics/sweeps/expected_best.h"

#include <algorithm>
#include <cmath>

namespace ablate::statistics {

std::vector<double> expected_best(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  const auto count = static_cast<double>(sorted.size());
  std::vector<double> expected(sorted.size(), 0.0);
  for (std::size_t draws = 1; draws <= sorted.size(); ++draws)
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      // All draws are at least this value with the first power, and above it with the second.
      const double from = (count - static_cast<double>(i)) / count;
      const double above = (count - static_cast<double>(i + 1)) / count;
      const auto n = static_cast<double>(draws);
      expected[draws - 1] += sorted[i] * (std::pow(from, n) - std::pow(above, n));
    }
  return expected;
}

}  // namespace ablate::statistics

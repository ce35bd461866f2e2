#include "harness/statistics/one_sample/ranks.h"

#include <algorithm>

#include "harness/statistics/one_sample/rounding.h"

namespace ablate::statistics {

std::vector<double> midranks(std::span<const double> values) {
  const std::vector<double> with_ties = tied(values);
  std::vector<double> sorted = with_ties;
  std::sort(sorted.begin(), sorted.end());
  std::vector<double> ranks;
  ranks.reserve(values.size());
  for (const double value : with_ties) {
    const auto [first, last] = std::equal_range(sorted.begin(), sorted.end(), value);
    ranks.push_back(static_cast<double>((first - sorted.begin()) + 1 + (last - sorted.begin())) /
                    2);
  }
  return ranks;
}

}  // namespace ablate::statistics

#include "harness/statistics/one_sample/ranks.h"

#include <algorithm>

namespace ablate::statistics {

std::vector<double> midranks(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  std::vector<double> ranks;
  for (const double value : values) {
    const auto [first, last] = std::equal_range(sorted.begin(), sorted.end(), value);
    ranks.push_back(static_cast<double>((first - sorted.begin()) + 1 + (last - sorted.begin())) /
                    2);
  }
  return ranks;
}

}  // namespace ablate::statistics

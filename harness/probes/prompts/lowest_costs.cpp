#include "harness/probes/prompts/lowest_costs.h"

#include <algorithm>

#include "harness/statistics/one_sample/rounding.h"

namespace ablate::probes {

std::vector<double> lowest_shared(std::span<const double> costs) {
  const std::vector<double> tied = statistics::tied(costs, kCostRounding);
  const double lowest = *std::min_element(tied.begin(), tied.end());
  const auto sharing = static_cast<double>(std::count(tied.begin(), tied.end(), lowest));
  std::vector<double> fractions;
  fractions.reserve(tied.size());
  for (const double cost : tied) fractions.push_back(cost == lowest ? 1 / sharing : 0);
  return fractions;
}

}  // namespace ablate::probes

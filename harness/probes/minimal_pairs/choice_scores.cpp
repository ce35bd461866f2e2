#include "harness/probes/minimal_pairs/choice_scores.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "harness/probes/prompts/lowest_costs.h"

namespace ablate::probes {

std::vector<double> credits_of(std::span<const ChoiceItem> items, std::span<const double> costs) {
  std::vector<double> credits;
  for (const ChoiceItem& item : items) {
    const auto own = costs.subspan(item.first, item.count);
    credits.push_back(lowest_shared(own)[item.right]);
  }
  return credits;
}

GroupMean group_mean(std::span<const ChoiceItem> items, std::span<const double> credits,
                     std::span<const std::uint8_t> included) {
  struct Sums {
    double count = 0, credit = 0, square = 0;
  };
  std::map<std::size_t, Sums> groups;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (!included.empty() && included[i] == 0) continue;
    Sums& sums = groups[items[i].group];
    ++sums.count;
    sums.credit += credits[i];
    sums.square += credits[i] * credits[i];
  }
  GroupMean result;
  double variance = 0;
  for (const auto& [group, sums] : groups) {
    const double mean = sums.credit / sums.count;
    result.mean += mean;
    variance += std::max(0.0, sums.square / sums.count - mean * mean) / sums.count;
  }
  if (groups.empty()) return result;
  const auto count = static_cast<double>(groups.size());
  result.mean /= count;
  result.error = std::sqrt(variance) / count;
  return result;
}

}  // namespace ablate::probes

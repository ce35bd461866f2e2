#include "harness/probes/ratings/rated_fractions.h"

#include <algorithm>
#include <cmath>

#include "harness/probes/prompts/lowest_costs.h"
#include "harness/statistics/one_sample/rounding.h"

namespace ablate::probes {

std::vector<double> fractions_of(std::span<const ChoiceItem> items, std::span<const double> costs) {
  std::vector<double> fractions(costs.size());
  for (const ChoiceItem& item : items) {
    const std::vector<double> own =
        statistics::tied(costs.subspan(item.first, item.count), kCostRounding);
    const double lowest = *std::min_element(own.begin(), own.end());
    double sum = 0;
    for (const double cost : own) sum += std::exp(lowest - cost);
    for (std::size_t i = 0; i < item.count; ++i)
      fractions[item.first + i] = std::exp(lowest - own[i]) / sum;
  }
  return fractions;
}

std::vector<double> without_last(std::span<const ChoiceItem> items,
                                 std::span<const double> values) {
  std::vector<double> kept;
  for (const ChoiceItem& item : items) {
    const auto own = values.subspan(item.first, item.count - 1);
    kept.insert(kept.end(), own.begin(), own.end());
  }
  return kept;
}

}  // namespace ablate::probes

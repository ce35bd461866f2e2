#include "harness/statistics/paired/sums_of_steps.h"

#include <algorithm>
#include <numeric>

#include "harness/base/clones.h"

namespace ablate::statistics {
namespace {

/// Sets out[i] = (first[i] + second[i]) / 2.
ABLATE_CLONES void average(const double* __restrict first, const double* __restrict second,
                           double* __restrict out, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) out[i] = (first[i] + second[i]) / 2;
}

}  // namespace

std::vector<double> distribution_of_sums(std::span<const std::size_t> steps) {
  const std::size_t total = std::accumulate(steps.begin(), steps.end(), std::size_t{0});
  // The distribution is symmetric, so its lower half, up to reach / 2, is kept: of the two terms of a sum
  // and of its mirror image, one is the other's.
  std::vector<double> probability(total + 1, 0.0), next(total + 1, 0.0);
  probability[0] = 1;
  std::size_t reach = 0;  // the largest sum so far
  for (const std::size_t step : steps) {
    const std::size_t before = reach;
    reach += step;
    const std::size_t half = reach / 2;
    for (std::size_t sum = before / 2 + 1; sum <= half; ++sum)
      probability[sum] = sum <= before ? probability[before - sum] : 0;
    const std::size_t alone = std::min(step, half + 1);  // sums that the step is too large for
    for (std::size_t sum = 0; sum < alone; ++sum) next[sum] = probability[sum] / 2;
    average(probability.data(), probability.data() + alone, next.data() + alone, half + 1 - alone);
    probability.swap(next);
  }
  for (std::size_t sum = reach / 2 + 1; sum <= reach; ++sum)
    probability[sum] = probability[reach - sum];
  return probability;
}

}  // namespace ablate::statistics

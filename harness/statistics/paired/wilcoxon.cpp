#include "harness/statistics/paired/wilcoxon.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "harness/statistics/one_sample/ranks.h"
#include "harness/statistics/one_sample/rounding.h"

namespace ablate::statistics {
namespace {

/// P(S <= s) for s = 0 ... their sum, where each rank is part of S with probability 1/2.
std::vector<double> distribution_of(std::span<const std::size_t> ranks) {
  std::vector<double> probability = {1};
  for (const std::size_t rank : ranks) {
    std::vector<double> next(probability.size() + rank, 0.0);
    for (std::size_t sum = 0; sum < probability.size(); ++sum) {
      next[sum] += probability[sum] / 2;
      next[sum + rank] += probability[sum] / 2;
    }
    probability = std::move(next);
  }
  for (std::size_t sum = 1; sum < probability.size(); ++sum)
    probability[sum] += probability[sum - 1];
  return probability;
}

}  // namespace

SignedRank wilcoxon(std::span<const double> differences) {
  std::vector<double> sizes;
  std::vector<bool> positive;
  for (const double each : tied(differences, kDifferenceRounding)) {
    if (each == 0) continue;
    sizes.push_back(std::abs(each));
    positive.push_back(each > 0);
  }
  std::vector<std::size_t> doubled;  // ranks times two, so that those of ties are integers
  std::size_t above = 0, all = 0;
  for (const double rank : midranks(sizes)) {
    doubled.push_back(static_cast<std::size_t>(std::llround(2 * rank)));
    all += doubled.back();
    if (positive[doubled.size() - 1]) above += doubled.back();
  }
  const std::size_t smaller = std::min(above, all - above);
  return {static_cast<double>(smaller) / 2, std::min(1.0, 2 * distribution_of(doubled)[smaller])};
}

}  // namespace ablate::statistics

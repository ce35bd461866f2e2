#include "harness/statistics/unpaired/rank_test.h"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <vector>

namespace ablate::statistics {
namespace {

// P(U <= u) for u = 0 ... x * y, where all orders of x + y values are equally likely.
std::vector<double> distribution(std::size_t x, std::size_t y) {
  // The shares of U among the orders of i values of one sample and j of the other: the largest
  // value is of the first sample with probability i / (i + j), and then lies above j others.
  std::vector<std::vector<double>> shares(y + 1, {1.0});
  for (std::size_t i = 1; i <= x; ++i) {
    std::vector<std::vector<double>> next(y + 1);
    next[0] = {1.0};
    for (std::size_t j = 1; j <= y; ++j) {
      const double first = static_cast<double>(i) / static_cast<double>(i + j);
      next[j].assign(i * j + 1, 0.0);
      for (std::size_t u = 0; u < shares[j].size(); ++u) next[j][u + j] += first * shares[j][u];
      for (std::size_t u = 0; u < next[j - 1].size(); ++u)
        next[j][u] += (1 - first) * next[j - 1][u];
    }
    shares = std::move(next);
  }
  std::vector<double> sums = std::move(shares[y]);
  for (std::size_t u = 1; u < sums.size(); ++u) sums[u] += sums[u - 1];
  return sums;
}

// The same, kept for the next call: series after series has samples of the same sizes.
const std::vector<double>& kept_distribution(std::size_t x, std::size_t y) {
  struct Kept {
    std::size_t x = 0, y = 0;
    std::vector<double> sums;
  };
  thread_local Kept kept;
  if (kept.sums.empty() || kept.x != x || kept.y != y) kept = {x, y, distribution(x, y)};
  return kept.sums;
}

/// Pairs in which x is larger; a tie counts a half.
double larger_pairs(std::span<const double> x, std::span<const double> y) {
  double above = 0;
  for (const double a : x)
    for (const double b : y) above += a > b ? 1.0 : a == b ? 0.5 : 0.0;
  return above;
}

/// The sum of t^3 - t over groups of t equal values.
double tie_term(std::span<const double> x, std::span<const double> y) {
  std::vector<double> all(x.begin(), x.end());
  all.insert(all.end(), y.begin(), y.end());
  std::sort(all.begin(), all.end());
  double sum = 0;
  for (std::size_t first = 0, next = 0; first < all.size(); first = next) {
    while (next < all.size() && all[next] == all[first]) ++next;
    const auto equal = static_cast<double>(next - first);
    sum += equal * equal * equal - equal;
  }
  return sum;
}

}  // namespace

double mann_whitney_p(std::span<const double> x, std::span<const double> y) {
  if (std::max(x.size(), y.size()) > kMaxRanked) return asymptotic_mann_whitney_p(x, y);
  const double above = larger_pairs(x, y), pairs = static_cast<double>(x.size() * y.size());
  const double least = std::ceil(std::min(above, pairs - above));  // up: never too small a p
  return std::min(1.0, 2 * kept_distribution(x.size(), y.size())[static_cast<std::size_t>(least)]);
}

double asymptotic_mann_whitney_p(std::span<const double> x, std::span<const double> y,
                                 bool for_continuity) {
  const auto n = static_cast<double>(x.size() + y.size());
  const double pairs = static_cast<double>(x.size() * y.size());
  const double variance = pairs / 12 * (n + 1 - tie_term(x, y) / (n * (n - 1)));
  if (variance <= 0) return 1;
  const double away = std::abs(larger_pairs(x, y) - pairs / 2) - (for_continuity ? 0.5 : 0);
  if (away <= 0) return 1;
  const boost::math::normal_distribution<double> normal;
  return 2 * boost::math::cdf(boost::math::complement(normal, away / std::sqrt(variance)));
}

double least_mann_whitney_p(std::size_t x, std::size_t y) {
  double orders = 1;  // in how many ways the values fall into samples of these sizes
  for (std::size_t i = 1; i <= std::min(x, y); ++i)
    orders *= static_cast<double>(std::max(x, y) + i) / static_cast<double>(i);
  return std::min(1.0, 2 / orders);
}

}  // namespace ablate::statistics

#include "harness/statistics/unpaired/rank_test.h"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <numeric>
#include <vector>

#include "harness/statistics/one_sample/ranks.h"
#include "harness/statistics/one_sample/rounding.h"
#include "harness/statistics/unpaired/effect_size.h"

namespace ablate::statistics {
namespace {

/// The ranks of all values, as integers in the smallest unit that they have in common (a half or one).
using Ranks = std::vector<std::size_t>;

/// The probability of each sum of the ranks of some of the values, from the lowest possible sum on.
struct RankSums {
  std::size_t lowest = 0;
  std::vector<double> probability;
};

/// Adds part of a distribution, with its sums moved up by a rank.
void add(const RankSums& part, double factor, std::size_t rank, RankSums& sums) {
  if (part.probability.empty() || factor == 0) return;
  const std::size_t from = part.lowest + rank, end = from + part.probability.size();
  if (sums.probability.empty()) sums.lowest = from;
  if (from < sums.lowest) {
    sums.probability.insert(sums.probability.begin(), sums.lowest - from, 0.0);
    sums.lowest = from;
  }
  sums.probability.resize(std::max(sums.probability.size(), end - sums.lowest));
  for (std::size_t i = 0; i < part.probability.size(); ++i)
    sums.probability[from - sums.lowest + i] += factor * part.probability[i];
}

/// The sum of the ranks of `count` values, where all sets of so many are equally likely: value by value, each is
/// taken with the probability (how many are yet to be taken) / (how many values are left).
RankSums distribution(const Ranks& ascending, std::size_t count) {
  std::vector<RankSums> by_taken(count + 1);
  by_taken[0].probability = {1.0};
  for (std::size_t seen = 0; seen < ascending.size(); ++seen) {
    const auto left = static_cast<double>(ascending.size() - seen);
    const auto taking = [&](std::size_t taken) {
      return static_cast<double>(count - taken) / left;
    };
    for (std::size_t taken = std::min(seen + 1, count) + 1; taken-- > 0;) {
      RankSums next;
      add(by_taken[taken], std::max(0.0, 1 - taking(taken)), 0, next);
      if (taken > 0) add(by_taken[taken - 1], taking(taken - 1), ascending[seen], next);
      by_taken[taken] = std::move(next);
    }
  }
  return std::move(by_taken[count]);
}

/// The same, kept for the next call: series after series has samples of the same sizes, mostly without ties.
const RankSums& kept_distribution(const Ranks& ascending, std::size_t count) {
  struct Kept {
    Ranks ranks;
    std::size_t count = 0;
    RankSums sums;
  };
  thread_local Kept kept;
  if (kept.ranks != ascending || kept.count != count)
    kept = {ascending, count, distribution(ascending, count)};
  return kept.sums;
}

std::vector<double> pooled(std::span<const double> x, std::span<const double> y) {
  std::vector<double> all(x.begin(), x.end());
  all.insert(all.end(), y.begin(), y.end());
  return all;
}

Ranks ranks_of(std::span<const double> values) {
  Ranks ranks;
  ranks.reserve(values.size());
  std::size_t unit = 0;
  for (const double rank : midranks(values)) {  // a multiple of a half
    ranks.push_back(static_cast<std::size_t>(std::llround(2 * rank)));
    unit = std::gcd(unit, ranks.back());
  }
  for (std::size_t& rank : ranks) rank /= unit;
  return ranks;
}

/// Pairs in which x is larger; a tie counts a half.
double larger_pairs(std::span<const double> x, std::span<const double> y) {
  return probability_of_superiority(x, y) * static_cast<double>(x.size() * y.size());
}

/// The sum of t^3 - t over groups of t equal values.
double tie_term(std::span<const double> x, std::span<const double> y) {
  std::vector<double> all = tied(pooled(x, y));
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
  Ranks ranks = ranks_of(pooled(x, y));
  const auto end_of_x = ranks.begin() + static_cast<std::ptrdiff_t>(x.size());
  const std::size_t seen = std::accumulate(ranks.begin(), end_of_x, std::size_t{0});
  std::sort(ranks.begin(), ranks.end());
  const RankSums& sums = kept_distribution(ranks, x.size());
  const auto at = sums.probability.begin() + static_cast<std::ptrdiff_t>(seen - sums.lowest);
  const double lower = std::accumulate(sums.probability.begin(), at + 1, 0.0);
  const double upper = std::accumulate(sums.probability.rbegin(), std::make_reverse_iterator(at),
                                       0.0);  // smallest first
  return std::min(1.0, 2 * std::min(lower, upper));
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

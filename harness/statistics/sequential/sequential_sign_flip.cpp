// Counts the sign patterns that reach a boundary at one of several looks, by dynamic programming over
// the sums of rounded differences.

#include "harness/statistics/sequential/sequential_sign_flip.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>

#include "harness/statistics/paired/sign_flip.h"

namespace ablate::statistics {
namespace {

constexpr double kQuotientRounding = 1e-9;  // of a quotient p / w that is multiplied by w again

/// The probability of each sum of the sizes taken, if each is taken or left at random.
using Distribution = std::vector<double>;

/// The distribution with one more size.
Distribution with_size(const Distribution& before, std::size_t size) {
  Distribution after(before.size() + size, 0.0);
  for (std::size_t sum = 0; sum < before.size(); ++sum) after[sum] = before[sum] / 2;
  for (std::size_t sum = 0; sum < before.size(); ++sum) after[sum + size] += before[sum] / 2;
  return after;
}

/// A look: the sizes that it adds, in steps, and the distribution of all sizes so far.
struct Look {
  std::vector<std::size_t> sizes;
  Distribution all;
  std::size_t positive = 0;  // the sum of the sizes of positive differences so far

  std::size_t total() const { return all.size() - 1; }
};

/// The sum of the sizes at the first look that has any; 0 where there is none.
double first_sum(const DifferencesByLook& differences) {
  for (const std::vector<double>& group : differences) {
    double sum = 0;
    for (const double difference : group) sum += std::abs(difference);
    if (sum > 0) return sum;
  }
  return 0;
}

std::vector<Look> rounded_looks(const DifferencesByLook& differences) {
  const double unit = first_sum(differences);
  Look look{.sizes = {}, .all = {1.0}};
  std::vector<Look> looks;
  looks.reserve(differences.size());
  for (const std::vector<double>& group : differences) {
    look.sizes.clear();
    for (const double difference : group) {
      const double sizes = unit > 0 ? std::min(std::abs(difference) / unit, kMaxLookSizes) : 0;
      look.sizes.push_back(static_cast<std::size_t>(std::llround(sizes * kLookSteps)));
      look.all = with_size(look.all, look.sizes.back());
      if (difference > 0) look.positive += look.sizes.back();
    }
    looks.push_back(look);
  }
  return looks;
}

/// The fraction of sign patterns whose sum is at least as far from 0 as that of a pattern whose
/// positive sizes add up to `positive`.
double p_of(const Look& look, std::size_t positive) {
  const std::size_t farther = std::max(positive, look.total() - positive);
  if (2 * farther == look.total()) return 1;
  return 2 * std::accumulate(look.all.begin() + static_cast<std::ptrdiff_t>(farther),
                             look.all.end(), 0.0);
}

/// The smallest sum of positive sizes, above half the total, whose p is at most `level`; above the
/// total where no pattern has such a p.
std::size_t boundary(const Look& look, double level) {
  std::size_t sum = look.total() + 1;
  double tail = 0;
  while (2 * (sum - 1) > look.total()) {
    tail += look.all[sum - 1];
    if (2 * tail > level) break;
    --sum;
  }
  return sum;
}

/// Removes the patterns that lie at a look's boundary or beyond, and returns their probability.
double take_beyond(Distribution& patterns, const Look& look, double level) {
  const std::size_t bound = boundary(look, level);
  double taken = 0;
  for (std::size_t sum = bound; sum <= look.total(); ++sum) {
    taken += patterns[sum] + patterns[look.total() - sum];  // two sums: bound is above half of all
    patterns[sum] = patterns[look.total() - sum] = 0;
  }
  return taken;
}

/// The probability that some look so far has p_l / w_l <= t, and what is kept back for those to come.
double p_of_smallest(const std::vector<Look>& looks, std::span<const double> weights, double t) {
  Distribution patterns = {1.0};
  double probability = 0;
  for (std::size_t l = 0; l < looks.size(); ++l) {
    if (t * weights[l] >= 1) return 1;  // every p_l is as small as that
    for (const std::size_t size : looks[l].sizes) patterns = with_size(patterns, size);
    probability += take_beyond(patterns, looks[l], t * weights[l] * (1 + kQuotientRounding));
  }
  const auto to_come = weights.subspan(looks.size());
  return std::min(1.0, probability + t * std::accumulate(to_come.begin(), to_come.end(), 0.0));
}

}  // namespace

double sequential_sign_flip_p(const DifferencesByLook& differences,
                              std::span<const double> weights) {
  if (differences.empty()) return 1;
  if (weights.size() == 1) return sign_flip_p(differences.front());
  const std::vector<Look> looks = rounded_looks(differences);
  double t = std::numeric_limits<double>::infinity();
  for (std::size_t l = 0; l < looks.size(); ++l)
    t = std::min(t, p_of(looks[l], looks[l].positive) / weights[l]);
  return t >= 1 / *std::max_element(weights.begin(), weights.end())
             ? 1
             : p_of_smallest(looks, weights, t);
}

double level_at_look(const DifferencesByLook& differences, std::span<const double> weights,
                     double alpha) {
  if (weights.size() == 1) return alpha;
  const std::vector<Look> looks = rounded_looks(differences);
  // By Bonferroni's inequality t = alpha is never too much, and the last look alone takes t w.
  double low = alpha;
  double high = alpha / weights[looks.size() - 1];
  while (high - low > 1e-3 * alpha) {
    const double middle = (low + high) / 2;
    (p_of_smallest(looks, weights, middle) <= alpha ? low : high) = middle;
  }
  return std::min(alpha, low * weights[looks.size() - 1]);
}

double sequential_p(std::span<const double> p, std::span<const double> weights) {
  double smallest = 1;
  for (std::size_t l = 0; l < p.size(); ++l) smallest = std::min(smallest, p[l] / weights[l]);
  return smallest;
}

}  // namespace ablate::statistics

// The sign-flip test: how many of the 2^n sign patterns lie as far out as the data.

#include "harness/statistics/paired/sign_flip.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <vector>

#include "harness/statistics/one_sample/rounding.h"
#include "harness/statistics/paired/sums_of_steps.h"

namespace ablate::statistics {
namespace {

/// All sums of the values under every choice of signs, ascending.
std::vector<double> signed_sums(std::span<const double> values) {
  std::vector<double> sums = {0};
  std::vector<double> merged;
  for (const double value : values) {
    const double size = std::abs(value);
    merged.resize(2 * sums.size());
    std::size_t low = 0;
    std::size_t high = 0;
    for (double& next : merged) {  // merges sums - size with sums + size, both ascending
      const bool take_low = low < sums.size() && sums[low] - size <= sums[high] + size;
      next = take_low ? sums[low++] - size : sums[high++] + size;
    }
    sums.swap(merged);
  }
  return sums;
}

/// The fraction of sign patterns whose sum is at least `threshold`. Meets in the middle: a pattern
/// is one of the first half and one of the second, so 2^(n / 2) steps count all 2^n.
double fraction_reaching(std::span<const double> values, double threshold) {
  const std::size_t half = values.size() / 2;
  const std::vector<double> first = signed_sums(values.first(half));
  const std::vector<double> second = signed_sums(values.subspan(half));
  std::uint64_t count = 0;
  std::size_t reaching = 0;  // how many of `second`, from its end, reach the threshold
  for (const double sum : first) {
    while (reaching < second.size() && sum + second[second.size() - 1 - reaching] >= threshold) {
      ++reaching;
    }
    count += reaching;
  }
  return std::ldexp(static_cast<double>(count), -static_cast<int>(values.size()));
}

/// The size of each value in steps: rounded to a multiple of 1 / kRoundingSteps of
/// `sum_of_sizes`.
std::vector<std::size_t> steps_of(std::span<const double> values, double sum_of_sizes) {
  std::vector<std::size_t> steps;
  steps.reserve(values.size());
  for (const double value : values)
    steps.push_back(
        static_cast<std::size_t>(std::llround(std::abs(value) / sum_of_sizes * kRoundingSteps)));
  return steps;
}

/// The test of the rounded values. It is exact for them, and it keeps its level for the values
/// themselves, because rounding preserves the symmetry that the null hypothesis states.
double rounded_p(std::span<const double> values, double sum_of_sizes) {
  const std::vector<std::size_t> steps = steps_of(values, sum_of_sizes);
  std::size_t total = 0;
  std::size_t positive = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    total += steps[i];
    if (values[i] > 0) positive += steps[i];
  }
  const std::vector<double> probability = distribution_of_sums(steps);
  double tail = 0;  // of one side: the distribution is symmetric. Small terms are added first.
  for (std::size_t sum = total + 1; sum-- > std::max(positive, total - positive);)
    tail += probability[sum];
  return std::clamp(2 * tail, minimum_sign_flip_p(std::ssize(values)), 1.0);
}

}  // namespace

double sign_flip_p(std::span<const double> differences) {
  double sum = 0;
  double size = 0;
  for (const double difference : differences) {
    sum += difference;
    size += std::abs(difference);
  }
  // Patterns that tie with the data must count, whatever order their sums were rounded in.
  const double threshold = std::abs(sum) - kDifferenceRounding * size;
  if (threshold <= 0) return 1;
  if (std::ssize(differences) > kMaxEnumeratedDifferences) return rounded_p(differences, size);
  return std::min(1.0,
                  2 * fraction_reaching(differences, threshold));  // the distribution is symmetric
}

double minimum_sign_flip_p(std::int64_t n) {
  return n < 1 ? 1 : std::ldexp(1.0, static_cast<int>(1 - std::min<std::int64_t>(n, 1000)));
}

std::int64_t fewest_for_sign_flip(double level) {
  std::int64_t n = 1;
  while (minimum_sign_flip_p(n) >= level) ++n;
  return n;
}

}  // namespace ablate::statistics

// The sign-flip test: how many of the 2^n sign patterns lie as far out as the data.

#include "harness/statistics/sign_flip.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "harness/base/rng.h"

namespace ablate::statistics {
namespace {

constexpr std::size_t kMaxEnumerated = 32;
constexpr std::uint64_t kSampledPatterns = 1u << 20;
constexpr std::uint64_t kSampleKey = 0x5167F11Bu;

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

double sampled_p(std::span<const double> values, double threshold) {
  Rng rng(kSampleKey);
  std::uint64_t reached = 1;  // the identity, which the data are
  for (std::uint64_t pattern = 1; pattern < kSampledPatterns; ++pattern) {
    double sum = 0;
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < values.size(); ++i, bits >>= 1) {
      if (i % 64 == 0) bits = rng.next();
      sum += bits & 1 ? values[i] : -values[i];
    }
    if (std::abs(sum) >= threshold) ++reached;
  }
  return static_cast<double>(reached) / static_cast<double>(kSampledPatterns);
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
  const double threshold = std::abs(sum) - 1e-12 * size;
  if (threshold <= 0) return 1;
  if (differences.size() > kMaxEnumerated) return sampled_p(differences, threshold);
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

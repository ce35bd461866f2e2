#include "harness/statistics/paired/effect_size.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "harness/statistics/one_sample/rounding.h"
#include "harness/statistics/one_sample/summary.h"
#include "harness/statistics/one_sample/t_test.h"

namespace ablate::statistics {
namespace {

double variance(std::span<const double> values) {
  const double root = deviation(values);
  return root * root;
}

}  // namespace

std::optional<double> standardized_difference(std::span<const double> differences) {
  const std::optional<TTest> test = one_sample_t_test(differences);
  if (!test) return std::nullopt;
  return test->t / std::sqrt(static_cast<double>(differences.size()));
}

double probability_above_zero(std::span<const double> differences) {
  double above = 0;
  for (const double each : tied(differences, kDifferenceRounding))
    above += each > 0 ? 1.0 : each == 0 ? 0.5 : 0.0;
  return above / static_cast<double>(differences.size());
}

std::optional<double> variance_ratio_of_pairing(std::span<const double> a,
                                                std::span<const double> b) {
  if (a.size() < 2) return std::nullopt;
  const double apart = variance(a) + variance(b), together = variance(differences(a, b));
  const double size = std::max(std::abs(mean(a)), std::abs(mean(b)));
  if (together <= kRounding * kRounding * (apart + size * size)) return std::nullopt;
  return apart / together;
}

}  // namespace ablate::statistics

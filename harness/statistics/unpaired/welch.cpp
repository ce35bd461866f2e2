#include "harness/statistics/unpaired/welch.h"

#include <cmath>

#include "harness/statistics/one_sample/summary.h"

namespace ablate::statistics {
namespace {

/// The squared standard error of the mean.
double squared_error(std::span<const double> values) {
  const double root = deviation(values);
  return root * root / static_cast<double>(values.size());
}

}  // namespace

std::optional<TTest> welch_t_test(std::span<const double> x, std::span<const double> y) {
  if (x.size() < 2 || y.size() < 2) return std::nullopt;
  const double of_x = squared_error(x), of_y = squared_error(y), both = of_x + of_y;
  if (both == 0) return std::nullopt;
  const double degrees = both * both /
                         (of_x * of_x / static_cast<double>(x.size() - 1) +
                          of_y * of_y / static_cast<double>(y.size() - 1));
  const double t = (mean(x) - mean(y)) / std::sqrt(both);
  return TTest{t, degrees, two_sided_t_p(t, degrees)};
}

}  // namespace ablate::statistics

#include "harness/statistics/unpaired/welch.h"

#include <boost/math/distributions/students_t.hpp>
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

std::optional<Interval> welch_interval(std::span<const double> x, std::span<const double> y,
                                       double alpha) {
  const std::optional<TTest> test = welch_t_test(x, y);
  if (!test) return std::nullopt;
  const boost::math::students_t_distribution<double> t(test->degrees);
  const double difference = mean(x) - mean(y),
               half = boost::math::quantile(boost::math::complement(t, alpha / 2)) *
                      std::sqrt(squared_error(x) + squared_error(y));
  return Interval{difference - half, difference + half};
}

}  // namespace ablate::statistics

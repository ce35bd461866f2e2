#include "harness/statistics/one_sample/t_test.h"

#include <boost/math/distributions/students_t.hpp>
#include <cmath>

#include "harness/statistics/one_sample/rounding.h"
#include "harness/statistics/one_sample/summary.h"

namespace ablate::statistics {

double two_sided_t_p(double t, double degrees) {
  const boost::math::students_t_distribution<double> students_t(degrees);
  return 2 * boost::math::cdf(boost::math::complement(students_t, std::abs(t)));
}

std::optional<TTest> one_sample_t_test(std::span<const double> values) {
  if (values.size() < 2) return std::nullopt;
  const auto n = static_cast<double>(values.size());
  const double centre = mean(values), error = deviation(values) / std::sqrt(n);
  if (error <= kDifferenceRounding * std::abs(centre)) return std::nullopt;
  const double t = centre / error;
  return TTest{t, n - 1, two_sided_t_p(t, n - 1)};
}

}  // namespace ablate::statistics

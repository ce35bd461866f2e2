#include "harness/statistics/paired/equivalence.h"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

#include "harness/statistics/one_sample/rounding.h"
#include "harness/statistics/one_sample/summary.h"

namespace ablate::statistics {
namespace {

/// P(T > t) for Student's t; t may be infinite.
double upper_tail(double t, double degrees) {
  if (std::isinf(t)) return t > 0 ? 0 : 1;
  const boost::math::students_t_distribution<double> students_t(degrees);
  return boost::math::cdf(boost::math::complement(students_t, t));
}

}  // namespace

double equivalence_p(std::span<const double> differences, double margin) {
  const auto n = static_cast<double>(differences.size());
  const double centre = mean(differences);
  const double error = deviation(differences) / std::sqrt(n);
  if (error <= kDifferenceRounding * margin) return std::abs(centre) < margin ? std::exp2(-n) : 1;
  const double above_lower = upper_tail((centre + margin) / error, n - 1);
  const double below_upper = upper_tail((margin - centre) / error, n - 1);
  return std::max(above_lower, below_upper);
}

}  // namespace ablate::statistics

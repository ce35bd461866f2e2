#include "harness/statistics/paired/non_inferiority.h"

#include <boost/math/distributions/non_central_t.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/tools/roots.hpp>
#include <cmath>

#include "harness/statistics/one_sample/rounding.h"
#include "harness/statistics/one_sample/summary.h"

namespace ablate::statistics {

double non_inferiority_p(std::span<const double> worsening, double margin) {
  const auto n = static_cast<double>(worsening.size());
  const double room = margin - mean(worsening);
  const double error = deviation(worsening) / std::sqrt(n);
  if (error <= kDifferenceRounding * margin) return room > 0 ? std::exp2(-n) : 1;
  const boost::math::students_t_distribution<double> students_t(n - 1);
  return boost::math::cdf(boost::math::complement(students_t, room / error));
}

double non_inferiority_power(std::int64_t n, double alpha, double margin) {
  const auto count = static_cast<double>(n);
  const boost::math::students_t_distribution<double> central(count - 1);
  const double critical = boost::math::quantile(boost::math::complement(central, alpha));
  const boost::math::non_central_t_distribution<double> shifted(count - 1,
                                                                margin * std::sqrt(count));
  return boost::math::cdf(boost::math::complement(shifted, critical));
}

double non_inferiority_margin(double deviation, std::int64_t n, double alpha, double power) {
  const auto shortfall = [&](double margin) {
    return non_inferiority_power(n, alpha, margin) - power;
  };
  double high = 1;
  while (shortfall(high) < 0) high *= 2;
  std::uintmax_t steps = 100;
  const boost::math::tools::eps_tolerance<double> tolerance(30);  // bits
  const double low = 1e-9;  // deviations: the power is alpha there
  return deviation *
         boost::math::tools::toms748_solve(shortfall, low, high, tolerance, steps).second;
}

}  // namespace ablate::statistics

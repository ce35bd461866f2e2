#include "harness/statistics/paired/t_power.h"

#include <boost/math/distributions/non_central_t.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/tools/roots.hpp>
#include <cmath>

namespace ablate::statistics {

double paired_t_power(std::int64_t n, double alpha, double effect) {
  const auto count = static_cast<double>(n);
  const boost::math::students_t_distribution<double> central(count - 1);
  const double critical = boost::math::quantile(boost::math::complement(central, alpha / 2));
  if (effect == 0) return alpha;
  const boost::math::non_central_t_distribution<double> shifted(count - 1,
                                                                effect * std::sqrt(count));
  return boost::math::cdf(boost::math::complement(shifted, critical)) +
         boost::math::cdf(shifted, -critical);
}

double paired_t_detectable_effect(std::int64_t n, double alpha, double power) {
  const auto shortfall = [&](double effect) { return paired_t_power(n, alpha, effect) - power; };
  double high = 1;
  while (shortfall(high) < 0) high *= 2;
  std::uintmax_t steps = 100;
  const boost::math::tools::eps_tolerance<double> tolerance(30);  // bits
  return boost::math::tools::toms748_solve(shortfall, 0.0, high, tolerance, steps).second;
}

double noether_pairs(double probability, double alpha, double power) {
  const boost::math::normal_distribution<double> normal;
  const double needed =
      boost::math::quantile(normal, 1 - alpha) + boost::math::quantile(normal, power);
  return std::pow(needed / (std::sqrt(6.0) * (0.5 - probability)), 2);
}

}  // namespace ablate::statistics

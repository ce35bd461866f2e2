#include "harness/statistics/paired/t_power.h"

#include <boost/math/distributions/non_central_t.hpp>
#include <boost/math/distributions/students_t.hpp>
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

}  // namespace ablate::statistics

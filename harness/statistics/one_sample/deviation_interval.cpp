#include "harness/statistics/one_sample/deviation_interval.h"

#include <boost/math/distributions/chi_squared.hpp>
#include <cmath>

namespace ablate::statistics {

Interval deviation_interval(std::span<const double> values, double alpha) {
  const auto degrees = static_cast<double>(values.size() - 1);
  const boost::math::chi_squared_distribution<double> chi_squared(degrees);
  const double spread = deviation(values);
  const auto scaled = [&](double quantile) { return spread * std::sqrt(degrees / quantile); };
  return {scaled(boost::math::quantile(complement(chi_squared, alpha / 2))),
          scaled(boost::math::quantile(chi_squared, alpha / 2))};
}

}  // namespace ablate::statistics

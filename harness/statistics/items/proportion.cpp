#include "harness/statistics/items/proportion.h"

#include <algorithm>
#include <boost/math/distributions/beta.hpp>
#include <boost/math/distributions/normal.hpp>
#include <cmath>

namespace ablate::statistics {

Interval wilson_interval(std::int64_t successes, std::int64_t items, double alpha) {
  const boost::math::normal_distribution<double> normal;
  const double z = boost::math::quantile(boost::math::complement(normal, alpha / 2));
  const auto n = static_cast<double>(items);
  const double fraction = static_cast<double>(successes) / n;
  const double centre = (fraction + z * z / (2 * n)) / (1 + z * z / n);
  const double half_width =
      z * std::sqrt(fraction * (1 - fraction) / n + z * z / (4 * n * n)) / (1 + z * z / n);
  // At 0 and at all items one end is exactly 0 or 1 but for rounding.
  return {successes == 0 ? 0 : std::max(0.0, centre - half_width),
          successes == items ? 1 : std::min(1.0, centre + half_width)};
}

Interval clopper_pearson_interval(std::int64_t successes, std::int64_t items, double alpha) {
  using Beta = boost::math::beta_distribution<double>;
  const auto k = static_cast<double>(successes), n = static_cast<double>(items);
  Interval interval{0, 1};
  if (successes > 0) interval.low = boost::math::quantile(Beta(k, n - k + 1), alpha / 2);
  if (successes < items)
    interval.high = boost::math::quantile(boost::math::complement(Beta(k + 1, n - k), alpha / 2));
  return interval;
}

}  // namespace ablate::statistics

#include "harness/statistics/items/mcnemar.h"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>

namespace ablate::statistics {

double mcnemar_p(std::int64_t only_first, std::int64_t only_second) {
  const auto items = static_cast<double>(only_first + only_second);
  if (items == 0) return 1;
  const boost::math::binomial_distribution<double> fair(items, 0.5);
  const auto fewer = static_cast<double>(std::min(only_first, only_second));
  return std::min(1.0, 2 * boost::math::cdf(fair, fewer));
}

}  // namespace ablate::statistics

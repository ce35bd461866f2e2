#include "harness/statistics/tasks/friedman.h"

#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <cmath>

#include "harness/statistics/one_sample/ranks.h"

namespace ablate::statistics {

Friedman friedman(const std::vector<std::vector<double>>& by_arm) {
  const auto arms = static_cast<double>(by_arm.size());
  const auto tasks = static_cast<double>(by_arm.front().size());
  std::vector<double> sums(by_arm.size(), 0.0);
  double squares = 0;  // of all ranks; ties make them smaller
  for (std::size_t task = 0; task < by_arm.front().size(); ++task) {
    std::vector<double> values;
    values.reserve(by_arm.size());
    for (const std::vector<double>& arm : by_arm) values.push_back(arm[task]);
    const std::vector<double> ranks = midranks(values);
    for (std::size_t arm = 0; arm < ranks.size(); ++arm) {
      sums[arm] += ranks[arm];
      squares += ranks[arm] * ranks[arm];
    }
  }
  Friedman result;
  result.mean_ranks.reserve(by_arm.size());
  const double expected = tasks * arms * (arms + 1) * (arms + 1) / 4;
  double between = -expected;
  for (const double sum : sums) {
    between += sum * sum / tasks;
    result.mean_ranks.push_back(sum / tasks);
  }
  if (squares > expected)  // not all tied everywhere
    result.statistic = (arms - 1) * tasks * between / (squares - expected);
  const boost::math::chi_squared_distribution<double> chi_squared(arms - 1);
  result.p =
      boost::math::cdf(boost::math::complement(chi_squared, std::max(0.0, result.statistic)));
  return result;
}

}  // namespace ablate::statistics

#include "harness/statistics/one_sample/summary.h"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <numeric>

namespace ablate::statistics {

double mean(std::span<const double> values) {
  if (values.empty()) return 0;
  const auto n = static_cast<double>(values.size());
  const double first = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double rest = 0;  // what rounding lost: equal values must have exactly their own mean
  for (const double value : values) rest += value - first;
  return first + rest / n;
}

double deviation(std::span<const double> values) {
  const double centre = mean(values);
  double squares = 0;
  for (const double value : values) squares += (value - centre) * (value - centre);
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

std::optional<Interval> t_interval(std::span<const double> values, double alpha) {
  if (values.size() < 2) return std::nullopt;
  const auto n = static_cast<double>(values.size());
  const double t = boost::math::quantile(
      boost::math::complement(boost::math::students_t_distribution<double>(n - 1), alpha / 2));
  const double centre = mean(values);
  const double half_width = t * deviation(values) / std::sqrt(n);
  return Interval{centre - half_width, centre + half_width};
}

}  // namespace ablate::statistics

#include "harness/statistics/one_sample/summary.h"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <compare>
#include <numeric>

#include "harness/statistics/one_sample/rounding.h"

namespace ablate::statistics {

namespace {

/// Sums are taken in this order, so that they do not depend on that in which the values came.
std::vector<double> sorted_values(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end(),
            [](double a, double b) { return std::is_lt(std::strong_order(a, b)); });  // NaN, too
  return sorted;
}

double mean_of_sorted(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  const double first = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double rest = 0;  // what rounding lost: equal values must have exactly their own mean
  double sizes = 0;
  for (const double value : values) {
    rest += value - first;
    sizes += std::abs(value);
  }
  const double mean = first + rest / n;
  return std::abs(mean) <= kRounding * sizes / n ? 0 : mean;
}

}  // namespace

double mean(std::span<const double> values) {
  return values.empty() ? 0 : mean_of_sorted(sorted_values(values));
}

double deviation(std::span<const double> values) {
  if (all_tied(values)) return 0;
  const std::vector<double> sorted = sorted_values(values);
  const double centre = mean_of_sorted(sorted);
  double squares = 0;
  for (const double value : sorted) squares += (value - centre) * (value - centre);
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

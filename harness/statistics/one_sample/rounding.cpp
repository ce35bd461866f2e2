#include "harness/statistics/one_sample/rounding.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

namespace ablate::statistics {
namespace {

double largest_size(std::span<const double> values) {
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  return largest;
}

}  // namespace

double difference(double a, double b) {
  const double apart = a - b;
  return std::abs(apart) <= kRounding * std::max(std::abs(a), std::abs(b)) ? 0 : apart;
}

std::vector<double> differences(std::span<const double> a, std::span<const double> b) {
  std::vector<double> all;
  all.reserve(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) all.push_back(difference(a[i], b[i]));
  return all;
}

std::vector<double> tied(std::span<const double> values, double rounding) {
  std::vector<std::size_t> by_size(values.size());
  std::iota(by_size.begin(), by_size.end(), std::size_t{0});
  std::sort(by_size.begin(), by_size.end(), [&](std::size_t a, std::size_t b) {
    return std::abs(values[a]) < std::abs(values[b]);
  });
  const double resolution = rounding * largest_size(values);
  std::vector<double> result(values.size());
  double common = 0, last = 0;  // the size that equal ones are given, and the largest of them
  for (const std::size_t i : by_size) {
    const double size = std::abs(values[i]);
    if (size - last > resolution) common = size;
    last = size;
    result[i] = std::copysign(common, values[i]);
  }
  return result;
}

bool all_tied(std::span<const double> values, double rounding) {
  if (values.empty()) return true;
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return *high - *low <= rounding * largest_size(values);
}

}  // namespace ablate::statistics

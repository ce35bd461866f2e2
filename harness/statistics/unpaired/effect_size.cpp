#include "harness/statistics/unpaired/effect_size.h"

#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <numeric>
#include <vector>

#include "harness/statistics/one_sample/ranks.h"
#include "harness/statistics/one_sample/summary.h"

namespace ablate::statistics {
namespace {

double sum_of_squares(std::span<const double> values) {
  const double root = deviation(values);
  return root * root * static_cast<double>(values.size() - 1);
}

/// What a difference in estimated deviations is multiplied by, to be right on average.
double unbiasing(double degrees) {
  // gamma(df / 2) / gamma((df - 1) / 2)
  const double ratio = boost::math::tgamma_delta_ratio(degrees / 2, -0.5);
  return ratio / std::sqrt(degrees / 2);
}

}  // namespace

std::optional<double> hedges_g(std::span<const double> x, std::span<const double> y) {
  if (x.size() < 2 || y.size() < 2) return std::nullopt;
  const auto degrees = static_cast<double>(x.size() + y.size() - 2);
  const double pooled = std::sqrt((sum_of_squares(x) + sum_of_squares(y)) / degrees);
  if (pooled == 0) return std::nullopt;
  return unbiasing(degrees) * (mean(x) - mean(y)) / pooled;
}

double probability_of_superiority(std::span<const double> x, std::span<const double> y) {
  std::vector<double> both(x.begin(), x.end());
  both.insert(both.end(), y.begin(), y.end());
  const std::vector<double> ranks = midranks(both);
  const auto n = static_cast<double>(x.size()), m = static_cast<double>(y.size());
  const double of_x = std::accumulate(ranks.begin(), ranks.begin() + std::ssize(x), 0.0);
  return (of_x - n * (n + 1) / 2) / (n * m);
}

}  // namespace ablate::statistics

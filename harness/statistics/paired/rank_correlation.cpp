#include "harness/statistics/paired/rank_correlation.h"

#include <cmath>
#include <functional>
#include <numeric>

#include "harness/statistics/one_sample/ranks.h"

namespace ablate::statistics {

double spearman(std::span<const double> x, std::span<const double> y) {
  const std::vector<double> first = midranks(x), second = midranks(y);
  const double mean = static_cast<double>(x.size() + 1) / 2;
  const auto product = [mean](const std::vector<double>& a, const std::vector<double>& b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0, std::plus<>(),
                              [mean](double p, double q) { return (p - mean) * (q - mean); });
  };
  return product(first, second) / std::sqrt(product(first, first) * product(second, second));
}

}  // namespace ablate::statistics

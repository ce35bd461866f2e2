#include "harness/probes/representation/similarity.h"

#include <cmath>
#include <functional>
#include <numeric>

#include "harness/statistics/one_sample/ranks.h"

namespace ablate::probes {

double spearman(std::span<const double> a, std::span<const double> b) {
  const std::vector<double> x = statistics::midranks(a), y = statistics::midranks(b);
  const double mean = static_cast<double>(a.size() + 1) / 2;
  const auto product = [&](const std::vector<double>& u, const std::vector<double>& v) {
    return std::inner_product(u.begin(), u.end(), v.begin(), 0.0, std::plus<>(),
                              [&](double p, double q) { return (p - mean) * (q - mean); });
  };
  return product(x, y) / std::sqrt(product(x, x) * product(y, y));
}

std::vector<double> pair_cosines(Vectors vectors) {
  const std::vector<double> values = unit_vectors(vectors);
  const Vectors units{values, vectors.width};
  std::vector<double> cosines;
  cosines.reserve(units.count() / 2);
  for (std::size_t i = 0; i + 1 < units.count(); i += 2)
    cosines.push_back(
        std::inner_product(units[i].begin(), units[i].end(), units[i + 1].begin(), 0.0));
  return cosines;
}

}  // namespace ablate::probes

#include "models/layers/initial_distributions.h"

#include <algorithm>
#include <numeric>

namespace ablate::models {

train::InitialDistribution orthogonal(std::int64_t rows, std::int64_t columns, double gain) {
  return [=](Rng& rng, std::span<float> values) {
    const bool by_row = rows <= columns;
    const auto count = static_cast<std::size_t>(std::min(rows, columns));
    const auto length = static_cast<std::size_t>(std::max(rows, columns));
    std::vector<std::vector<double>> vectors(count, std::vector<double>(length));
    for (std::size_t i = 0; i < count; ++i) {
      std::vector<double>& own = vectors[i];
      for (double& x : own) x = rng.normal();
      const auto along = [&](const std::vector<double>& other) {
        return std::inner_product(own.begin(), own.end(), other.begin(), 0.0);
      };
      // Twice, since the first time leaves the rounding of what it takes away.
      for (int time = 0; time < 2; ++time)
        for (std::size_t j = 0; j < i; ++j) {
          const double shared = along(vectors[j]);
          for (std::size_t k = 0; k < length; ++k) own[k] -= shared * vectors[j][k];
        }
      const double size = std::sqrt(along(own));
      for (double& x : own) x /= size;
    }
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t k = 0; k < length; ++k)
        values[by_row ? i * length + k : k * count + i] = static_cast<float>(gain * vectors[i][k]);
  };
}

}  // namespace ablate::models

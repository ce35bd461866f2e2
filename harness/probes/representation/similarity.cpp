#include "harness/probes/representation/similarity.h"

#include <numeric>

namespace ablate::probes {

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

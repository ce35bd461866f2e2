#include "harness/probes/generation/token_filters/top_p.h"

#include "harness/probes/generation/token_filters/by_probability.h"

namespace ablate::probes {

TokenFilter top_p(double p) {
  if (p >= 1) return [](TokenDistribution&) {};  // a sum of all may round to less than 1
  return [p](TokenDistribution& distribution) {
    std::vector<std::uint8_t> kept(distribution.masses.size(), 0);
    double sum = 0;
    for (const std::size_t entry : by_probability(distribution)) {
      kept[entry] = 1;
      sum += distribution.masses[entry];
      if (sum >= p * distribution.total) break;
    }
    distribution.keep(kept);
  };
}

}  // namespace ablate::probes

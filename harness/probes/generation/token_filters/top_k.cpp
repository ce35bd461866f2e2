#include "harness/probes/generation/token_filters/top_k.h"

#include "harness/probes/generation/token_filters/by_probability.h"

namespace ablate::probes {

TokenFilter top_k(std::int64_t k) {
  return [k](TokenDistribution& distribution) {
    const std::vector<std::size_t> order = by_probability(distribution);
    std::vector<std::uint8_t> kept(order.size(), 0);
    for (std::size_t i = 0; i < std::min(order.size(), static_cast<std::size_t>(k)); ++i)
      kept[order[i]] = 1;
    distribution.keep(kept);
  };
}

}  // namespace ablate::probes

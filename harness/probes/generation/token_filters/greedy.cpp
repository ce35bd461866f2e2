#include "harness/probes/generation/token_filters/greedy.h"

#include <algorithm>

namespace ablate::probes {

TokenFilter greedy() {
  return [](TokenDistribution& distribution) {
    const auto& scores = distribution.scores;
    std::vector<std::uint8_t> kept(scores.size(), 0);
    kept[static_cast<std::size_t>(std::max_element(scores.begin(), scores.end()) -
                                  scores.begin())] = 1;
    distribution.keep(kept);
  };
}

}  // namespace ablate::probes

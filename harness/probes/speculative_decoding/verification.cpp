#include "harness/probes/speculative_decoding/verification.h"

#include <algorithm>

namespace ablate::probes {

Verification verified(const TokenDistribution& target, const TokenDistribution& draft,
                      std::size_t drafted, Rng rng) {
  const double p = target.probability(drafted), q = draft.probability(drafted);
  if (rng.uniform() * q < p) return {true, drafted};
  std::vector<double> left(target.masses.size());
  double total = 0;
  for (std::size_t entry = 0; entry < left.size(); ++entry)
    total += left[entry] = std::max(target.probability(entry) - draft.probability(entry), 0.0);
  // Rounding may leave nothing where the two are equal, and a rejection is all but impossible.
  if (!(total > 0)) return {true, drafted};
  return {false, drawn_entry(left, total, rng.uniform())};
}

}  // namespace ablate::probes

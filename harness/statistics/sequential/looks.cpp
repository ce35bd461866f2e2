#include "harness/statistics/sequential/looks.h"

#include <algorithm>

#include "harness/statistics/paired/sign_flip.h"

namespace ablate::statistics {

Looks looks_between(std::int64_t first, std::int64_t group, std::int64_t cap) {
  Looks looks = {first};
  while (looks.back() < cap) looks.push_back(std::min(cap, looks.back() + group));
  return looks;
}

std::vector<double> look_weights(const Looks& looks) {
  std::vector<double> weights;
  weights.reserve(looks.size());
  std::int64_t before = 0;
  for (const std::int64_t seeds : looks) {
    weights.push_back(static_cast<double>(seeds - before) / static_cast<double>(looks.back()));
    before = seeds;
  }
  return weights;
}

std::optional<std::int64_t> fewest_for_first_look(std::int64_t cap, double level) {
  for (std::int64_t seeds = 1; seeds <= cap; ++seeds)
    if (minimum_sign_flip_p(seeds) * static_cast<double>(cap) / static_cast<double>(seeds) < level)
      return seeds;
  return std::nullopt;
}

}  // namespace ablate::statistics

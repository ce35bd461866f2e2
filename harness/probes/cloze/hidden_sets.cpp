#include "harness/probes/cloze/hidden_sets.h"

#include <algorithm>
#include <numeric>

#include "harness/base/shuffle.h"

namespace ablate::probes {

std::vector<std::vector<std::size_t>> stratified_sets(std::size_t count, Rng rng) {
  std::vector<std::vector<std::size_t>> sets;
  for (std::size_t size = 1; 2 * size <= count; ++size) {
    const std::vector<std::size_t> order = random_order(count, rng.fork(size));
    const auto middle = order.begin() + static_cast<std::ptrdiff_t>(size);
    sets.emplace_back(order.begin(), middle);
    if (2 * size < count) sets.emplace_back(middle, order.end());
  }
  if (count > 0) {
    sets.emplace_back(count);
    std::iota(sets.back().begin(), sets.back().end(), std::size_t{0});
  }
  for (std::vector<std::size_t>& set : sets) std::sort(set.begin(), set.end());
  return sets;
}

}  // namespace ablate::probes

// Goes through random orders of a text's positions, one after the other.

#include "objectives/common/masks/turns.h"

#include <algorithm>

#include "harness/base/shuffle.h"

namespace ablate::objectives {

Positions next_in_turn(const Text& text, std::int64_t before, std::int64_t count) {
  const Positions own = hideable_positions(text);
  Positions chosen;
  if (own.empty()) return chosen;
  const std::int64_t size = std::ssize(own);
  const Rng orders = text.own.fork("turns");
  std::vector<bool> taken(own.size());
  for (std::int64_t cycle = before / size, first = before % size; std::ssize(chosen) < count;
       ++cycle, first = 0) {
    const auto order = random_order(static_cast<std::int32_t>(size),
                                    orders.fork(static_cast<std::uint64_t>(cycle)));
    for (std::int64_t i = first; i < size && std::ssize(chosen) < count; ++i) {
      const auto place = static_cast<std::size_t>(order[static_cast<std::size_t>(i)]);
      if (taken[place]) continue;  // hidden by the order before, which ended in this text
      taken[place] = true;
      chosen.push_back(own[place]);
    }
  }
  std::ranges::sort(chosen);
  return chosen;
}

}  // namespace ablate::objectives

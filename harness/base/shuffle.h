// Random permutations.

#pragma once

#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "harness/base/rng.h"

namespace ablate {

/// Shuffles in place; every order is equally likely (Fisher & Yates).
template <class Value>
void shuffle(std::span<Value> values, Rng& rng) {
  for (std::int64_t left = std::ssize(values); left > 1; --left)
    std::swap(values[static_cast<std::size_t>(left - 1)],
              values[static_cast<std::size_t>(rng.below(left))]);
}

template <class Value>
void shuffle(std::vector<Value>& values, Rng& rng) {
  shuffle(std::span<Value>(values), rng);
}

/// The numbers [0, count) in random order.
template <class Number>
std::vector<Number> random_order(Number count, Rng rng) {
  std::vector<Number> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), Number{0});
  shuffle(order, rng);
  return order;
}

}  // namespace ablate

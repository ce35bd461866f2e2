// A random order, every one equally likely (Fisher & Yates).

#pragma once

#include <utility>
#include <vector>

#include "harness/base/rng.h"

namespace ablate {

template <class Value>
void shuffle(std::vector<Value>& values, Rng& rng) {
  for (std::int64_t left = std::ssize(values); left > 1; --left)
    std::swap(values[static_cast<std::size_t>(left - 1)],
              values[static_cast<std::size_t>(rng.below(left))]);
}

}  // namespace ablate

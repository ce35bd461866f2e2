// Batches of neighbouring texts.

#pragma once

#include <numeric>
#include <vector>

#include "harness/data/batches/batches.h"

namespace ablate::data {

/// The texts [first, first + count) of the part, one per row.
inline SampledBatch in_order(const Batches& batches, std::int64_t first, std::int64_t count) {
  std::vector<std::int64_t> numbers(static_cast<std::size_t>(count));
  std::iota(numbers.begin(), numbers.end(), first);
  return batches.read(numbers);
}

}  // namespace ablate::data

// The parts of a step whose gradients are computed one after the other.

#pragma once

#include <algorithm>
#include <functional>
#include <span>
#include <vector>

#include "harness/data/batches/rows_of.h"

namespace ablate::train {

/// Calls `work` with the lanes' batches in parts of `rows` rows (the last may have fewer; 0: all rows
/// at once), each with the number of its first row.
inline void each_micro_batch(
    std::span<const data::Batch> lanes, std::int64_t rows,
    const std::function<void(std::span<const data::Batch> part, std::int64_t first)>& work) {
  const std::int64_t all = lanes[0].rows;
  if (rows == 0 || rows >= all) return work(lanes, 0);
  for (std::int64_t first = 0; first < all; first += rows) {
    std::vector<data::Batch> part;
    part.reserve(lanes.size());
    for (const data::Batch& lane : lanes)
      part.push_back(data::rows_of(lane, first, std::min(rows, all - first)));
    work(part, first);
  }
}

}  // namespace ablate::train

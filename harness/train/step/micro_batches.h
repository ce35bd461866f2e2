// The parts of a step whose gradients are computed one after the other.

#pragma once

#include <algorithm>
#include <functional>
#include <span>
#include <vector>

#include "harness/data/batches/rows_of.h"

namespace ablate::train {

/// Calls `work` with the rows of the lanes' batches that are in `range`, in parts of `rows` rows (the last may
/// have fewer; 0: all of them at once), each with the number of its first row.
inline void each_micro_batch(
    std::span<const data::Batch> lanes, data::RowRange range, std::int64_t rows,
    const std::function<void(std::span<const data::Batch> part, std::int64_t first)>& work) {
  if (rows == 0 || rows >= range.count) rows = range.count;
  if (rows == lanes[0].rows) return work(lanes, 0);
  const std::int64_t end = range.first + range.count;
  for (std::int64_t first = range.first; first < end; first += rows) {
    std::vector<data::Batch> part;
    part.reserve(lanes.size());
    for (const data::Batch& lane : lanes)
      part.push_back(data::rows_of(lane, first, std::min(rows, end - first)));
    work(part, first);
  }
}

}  // namespace ablate::train

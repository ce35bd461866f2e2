// A part of a batch's rows.

#pragma once

#include <cstdint>

#include "harness/data/batches/layout.h"

namespace ablate::data {

/// Consecutive rows of a batch.
struct RowRange {
  std::int64_t first = 0, count = 0;
};

/// The part number `part` of `rows` rows that are divided into `parts`: contiguous, in order, and of sizes that
/// differ by at most one.
RowRange part_of_rows(std::int64_t rows, std::int64_t part, std::int64_t parts);

/// The rows [first, first + count) of a batch, with their targets. The loss denominator of the whole
/// batch is not divided. Requires: the rows are the batch's.
Batch rows_of(const Batch& batch, std::int64_t first, std::int64_t count);

}  // namespace ablate::data

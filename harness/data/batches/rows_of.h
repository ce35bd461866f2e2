// A part of a batch's rows.

#pragma once

#include <cstdint>

#include "harness/data/batches/layout.h"

namespace ablate::data {

/// The rows [first, first + count) of a batch, with their targets. The loss denominator of the whole
/// batch is not divided. Requires: the rows are the batch's.
Batch rows_of(const Batch& batch, std::int64_t first, std::int64_t count);

}  // namespace ablate::data

// What an example must be to be laid out.

#pragma once

#include "harness/data/batches/layout.h"

namespace ablate::data {

/// The positions that an example takes in its row.
RowShape taken(const Needs& needs, const Example& example);

/// Throws std::invalid_argument unless each target has a weight.
void check_weights(const Example& example);

/// Throws std::invalid_argument for an example that does not fit the needs, with the reason: lists of
/// other lengths than its tokens, labels of heads or places that are not there, places that see more
/// than the needs allow, a row outside [0, rows).
void check_example(const PlacedExample& placed, const Needs& needs, Packing packing,
                   std::int64_t rows);

}  // namespace ablate::data

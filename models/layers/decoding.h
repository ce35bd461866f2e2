// Reading rows step by step.

#pragma once

#include <optional>
#include <vector>

#include "models/layers/pass.h"
#include "models/specs/layers/shape.h"

namespace ablate::models {

/// A state in which nothing has been read of `rows` rows by the first `blocks` blocks of a shape, of which
/// `crosses` have cross-attention.
train::DecodingState decoding_state(const Shape& shape, std::int64_t blocks, std::int64_t crosses,
                                    std::int64_t rows);

/// Where a step continues the rows of a state. Throws std::logic_error where sizes differ. The state
/// outlives the result.
DecodingStep begin_step(train::DecodingState& state, const train::Inputs& inputs,
                        const std::vector<std::int64_t>& counts);

/// Counts what a step has read.
void finish_step(train::DecodingState& state, const std::vector<std::int64_t>& counts);

}  // namespace ablate::models

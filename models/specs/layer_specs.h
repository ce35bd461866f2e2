// The specs of all mixers and feed-forward layers, for planning, and what a block costs.

#pragma once

#include <span>
#include <string_view>

#include "harness/contract/backbone.h"
#include "models/specs/layers/shape.h"

namespace ablate::models {

/// The specs of every mixer, in alphabetical order. They do not depend on LibTorch.
std::span<const MixerSpec> mixer_specs();

/// The specs of every feed-forward layer, in alphabetical order.
std::span<const FeedForwardSpec> feed_forward_specs();

// The same as the catalogue has them.
std::span<const LayerKind> mixer_kinds();
std::span<const LayerKind> feed_forward_kinds();

/// What block number `block`, of a stack that begins at block number `begin`, costs in rows of `time`
/// positions, norms included and cross-attention excluded.
BlockCost block_cost(const Shape& shape, std::int64_t begin, std::int64_t block, std::int64_t time,
                     bool bfloat16);

/// The same of a stack of the first `depth` blocks.
BlockCost stack_cost(const Shape& shape, std::int64_t depth, std::int64_t time, bool bfloat16);

}  // namespace ablate::models

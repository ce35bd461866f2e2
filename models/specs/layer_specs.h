// The specs of all mixers and feed-forward layers, for planning, and what a block costs.

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

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

/// The parameters `layers` and `feed_forwards`, which name the layers of a backbone's blocks.
std::vector<Param> layer_params();

/// Why these lists of layers do not suit stacks of which the deepest has `depth` blocks; empty if they
/// do.
std::string layers_refusal(const Params& model, std::int64_t depth);

/// A model's section with its lists of layers in their shortest form; absent where the defaults say the
/// same.
Json canonical_layers(Json model);

/// Sets the layers of a shape. Requires: lists that layers_refusal() accepts.
void set_layers(Shape& shape, const Params& model);

/// The first mixer of a model that cannot let its inputs see each other while what follows them sees the
/// past; empty if all can.
std::string_view mixer_without_prefix(const Params& model);

/// The first mixer of a model that cannot show two intervals to a place; empty if all can.
std::string_view mixer_without_two_intervals(const Params& model);

/// Why a model without positions cannot do what an objective needs; empty if it can, or has positions.
std::string positions_refusal(const Params& model, const Needs& needs);

/// What block number `block`, of a stack that begins at block number `begin`, costs in rows of `time`
/// positions, norms included and cross-attention excluded.
BlockCost block_cost(const Shape& shape, std::int64_t begin, std::int64_t block, std::int64_t time,
                     bool bfloat16);

/// The same of a stack of the first `depth` blocks.
BlockCost stack_cost(const Shape& shape, std::int64_t depth, std::int64_t time, bool bfloat16);

}  // namespace ablate::models

// The settings of a backbone that say what its blocks are made of.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/contract/backbone.h"
#include "models/specs/layers/shape.h"

namespace ablate::models {

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

/// Whether a model has blocks with experts, which add to the loss.
bool has_experts(const Params& model);

/// The first mixer of a model that cannot let its inputs see each other while what follows them sees the
/// past; empty if all can.
std::string_view mixer_without_prefix(const Params& model);

/// The first mixer of a model that cannot show two intervals to a place; empty if all can.
std::string_view mixer_without_two_intervals(const Params& model);

/// Why a model without positions cannot do what an objective needs; empty if it can, or has positions.
std::string positions_refusal(const Params& model, const Needs& needs);

}  // namespace ablate::models

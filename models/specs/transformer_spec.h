// The transformer for planning, and what other backbones have in common with it.

#pragma once

#include "harness/contract/backbone.h"
#include "models/specs/layers/shape.h"

namespace ablate::models {

/// Why no transformer can have these parameters; empty if one can.
std::string transformer_refusal(const Params& model);

/// Why no stack can have these sizes, its lists of layers apart; empty if one can.
std::string sizes_refusal(const Params& model);

/// The sizes of a model for an objective's needs and row lengths. Requires: a model that
/// `transformer_refusal` accepts.
Shape shape_of(const Params& model, const Hosting& hosting);

/// The declared parameters of a transformer.
std::vector<Param> transformer_params();

/// The number of parameters in the token and position tables and the output table, if there is one.
std::int64_t embedding_parameters(const Shape& shape);

/// The numbers that the mixers of the first `blocks` blocks keep of `time` positions at inference.
std::int64_t state_numbers(const Shape& shape, std::int64_t blocks, std::int64_t time);

/// The memory of embedding, last norm and heads, per position and target, and of the gradients of
/// the tables.
MemoryCount outer_memory(const Shape& shape, bool bfloat16);

/// FLOPs of a multiply-add in training: 2 forward, 4 backward.
constexpr double kTrainingFlops = 6;

/// The backbone `transformer`.
BackboneSpec transformer_spec();

}  // namespace ablate::models

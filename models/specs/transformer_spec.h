// The sizes of a transformer, computed from its parameters. Used by planning and by the builder.

#pragma once

#include "harness/contract/backbone.h"

namespace ablate::models {

/// Every size and switch of a transformer.
struct TransformerShape {
  std::int64_t depth = 0;       // blocks
  std::int64_t width = 0;       // units of the residual stream
  std::int64_t heads = 0;       // attention heads; they divide the width
  std::int64_t head_width = 0;  // width / heads
  std::int64_t context = 0;     // positions in a row
  std::int64_t hidden = 0;      // units of the feed-forward layer, after the gate
  std::int64_t vocabulary = 0;  // ids
  bool rotary = true;           // false: learned positions
  bool rms_norm = false;        // false: layer norm
  bool swiglu = false;          // false: GELU
  bool tied = false;            // whether the token table is also the output head

  // Set by the heads of the needs.
  std::int64_t trunk = 0;  // blocks below the heads
  std::int64_t first = 0;  // blocks of the first head
  bool table = true;       // whether a head predicts tokens, by the output table
};

/// The number of blocks between the embedding and the final norm of the first head.
double layers_of_path(const TransformerShape& shape);

/// Why no transformer can have these parameters; empty if one can.
std::string transformer_refusal(const Params& model);

/// The sizes of a model for an objective's needs and row lengths. Requires: a model that
/// `transformer_refusal` accepts.
TransformerShape transformer_shape(const Params& model, const Hosting& hosting);

/// The declared parameters of a transformer.
std::vector<Param> transformer_params();

/// The number of parameters in the token and position tables and the output table, if there is one.
std::int64_t embedding_parameters(const TransformerShape& shape);

/// The number of weights in a block's matrices, which is also the multiply-adds per position
/// without those of attention scores.
std::int64_t block_matrices(const TransformerShape& shape);

/// Bytes of a unit of the residual stream, of norms' inputs and of all gradients of parameters.
constexpr double kFloat32Bytes = 4;

/// Bytes of a unit of activations.
constexpr double activation_bytes(bool bfloat16) { return bfloat16 ? 2 : 4; }

/// Bytes per position that a block without cross-attention keeps for its backward pass on a GPU.
double block_bytes(const TransformerShape& shape, bool bfloat16);

/// The memory of embedding, last norm and heads, per position and target, and of the gradients of
/// the tables.
MemoryCount outer_memory(const TransformerShape& shape, bool bfloat16);

/// FLOPs of a multiply-add in training: 2 forward, 4 backward.
constexpr double kTrainingFlops = 6;

/// The backbone `transformer`.
BackboneSpec transformer_spec();

}  // namespace ablate::models

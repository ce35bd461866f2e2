// The sizes of a transformer, from its declared parameters: read by planning and by the builder
// alike.

#pragma once

#include "harness/contract/backbone.h"

namespace ablate::models {

/// Every size and switch of a transformer.
struct TransformerShape {
  std::int64_t depth = 0;       // blocks
  std::int64_t width = 0;       // of the residual stream
  std::int64_t heads = 0;       // attention heads; they divide the width
  std::int64_t head_width = 0;  // width / heads
  std::int64_t context = 0;     // positions of a row
  std::int64_t hidden = 0;      // units of the feed-forward layer, after a gate
  std::int64_t vocabulary = 0;
  bool rotary = true;     // else learned positions
  bool rms_norm = false;  // else layer norm
  bool swiglu = false;    // else gelu
  bool tied = false;      // the token table is the output head

  // By the objective's needs.
  std::int64_t trunk = 0;   // blocks below the heads
  std::int64_t future = 0;  // heads that predict tokens, one for each token ahead; 0: one without
                            // a block of its own
  FutureKind future_kind = FutureKind::transformer;
  bool pair = false;  // whether there is a head for pairs
};

/// Blocks between the embedding and the last norm of the first head.
double layers_of_path(const TransformerShape& shape);

/// Why no transformer has these parameters; empty where one has.
std::string transformer_refusal(const Params& model);

/// Requires: a model that `transformer_refusal` accepts.
TransformerShape transformer_shape(const Params& model, const Hosting& hosting);

/// The declared parameters of a stack, and what its layers amount to.
std::vector<Param> transformer_params();
std::int64_t embedding_parameters(const TransformerShape& shape);
std::int64_t block_matrices(const TransformerShape& shape);  // multiply-adds per position,
                                                             // without attention's own

/// Operations of a multiply-add in training: 2, forward and twice that backward.
constexpr double kTrainingFlops = 6;

BackboneSpec transformer_spec();

}  // namespace ablate::models

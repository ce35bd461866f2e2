// The sizes of a transformer, from its declared parameters: read by planning and by the builder
// alike.

#pragma once

#include "harness/contract/backbone.h"

namespace ablate {

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
};

/// Requires: a model that `transformer_spec().refusal` accepts.
TransformerShape transformer_shape(const Params& model, const Hosting& hosting);

BackboneSpec transformer_spec();

}  // namespace ablate

// The sizes of an encoder-decoder, from its declared parameters: read by planning and by the
// builder alike.

#pragma once

#include "models/specs/transformer_spec.h"

namespace ablate::models {

struct EncoderDecoderShape {
  TransformerShape stack;          // of the decoder; the encoder's but for its depth
  std::int64_t encoder_depth = 0;  // blocks
  std::int64_t time = 0;           // positions of a decoder's row
  std::int64_t source_time = 0;    // positions of an encoder's row
  bool shared = false;             // the decoder's blocks are the encoder's, with cross-attention
};

/// Requires: a model that `encoder_decoder_spec().refusal` accepts.
EncoderDecoderShape encoder_decoder_shape(const Params& model, const Hosting& hosting);

BackboneSpec encoder_decoder_spec();

}  // namespace ablate::models

// The sizes of an encoder-decoder, computed from its parameters. Used by planning and by the
// builder.

#pragma once

#include "models/specs/transformer_spec.h"

namespace ablate::models {

struct EncoderDecoderShape {
  Shape stack;                     // the decoder; also the encoder, except for its depth
  std::int64_t encoder_depth = 0;  // blocks
  std::int64_t time = 0;           // positions in a row of the decoder
  std::int64_t source_time = 0;    // positions in a row of the encoder
  bool shared = false;             // encoder and decoder share blocks, except cross-attention
};

/// The sizes of a model for an objective's needs and row lengths. Requires: a model that
/// `encoder_decoder_spec().refusal` accepts.
EncoderDecoderShape encoder_decoder_shape(const Params& model, const Hosting& hosting);

/// The backbone `encoder_decoder`.
BackboneSpec encoder_decoder_spec();

}  // namespace ablate::models

// Transformers with restricted attention, for planning.

#pragma once

#include "harness/contract/backbone.h"

namespace ablate::models {

/// The backbone `decoder`: every position sees only the past, including the inputs of a
/// continuation.
BackboneSpec decoder_spec();

/// The backbone `encoder`: positions see each other in both directions; predicts in place.
BackboneSpec encoder_spec();

/// The backbone `prefix_decoder`: inputs see each other; positions after them see the past.
BackboneSpec prefix_decoder_spec();

}  // namespace ablate::models

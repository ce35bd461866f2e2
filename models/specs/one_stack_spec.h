// Transformers of one stack that show less than they could, to those who plan.

#pragma once

#include "harness/contract/backbone.h"

namespace ablate::models {

/// Every position sees the past alone, inputs of a continuation included.
BackboneSpec decoder_spec();

/// Positions see each other in both directions; predicts in place.
BackboneSpec encoder_spec();

/// Inputs see each other, what follows them sees the past.
BackboneSpec prefix_decoder_spec();

}  // namespace ablate::models

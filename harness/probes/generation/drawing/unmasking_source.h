// Predicts the masks of texts where a model reads them in a layout of its own.

#pragma once

#include "harness/probes/generation/drawing/sampling.h"
#include "harness/probes/probe.h"

namespace ablate::probes {

/// The source of a model whose objective has Objective::unmask. What follows a beginning that was read
/// before is read alone, such as a block after the blocks that are filled.
TokenSource unmasking_source(const Subject& subject, const Sampler& sampler);

}  // namespace ablate::probes

// The model that probes of this program measure text by.

#pragma once

#include <cstdint>
#include <string>

#include "harness/probes/probe.h"

namespace ablate::worker {

/// A causal LM on a transformer of one lane, of `width` and `depth`, for texts of up to `context`
/// tokens. In float32; its parameters have no values yet.
probes::ReferenceModel reference_model(const Vocabulary& vocabulary, std::int64_t width,
                                       std::int64_t depth, std::int64_t context,
                                       const std::string& device);

}  // namespace ablate::worker

// What the settings of contrastive learning say: which passages belong together, and how they are compared.

#pragma once

#include <string>

#include "harness/contract/objective.h"
#include "objectives/common/views/contrast.h"
#include "objectives/common/views/passages.h"

namespace ablate::objectives {

/// The value of a choice, or what stands for its absence.
std::string text_or(const Params& params, const char* name, const char* otherwise);

/// What belongs together.
PassagesOf pairs_of(const Params& params);

/// How the passages of a step are compared.
Contrast contrast_of(const Params& params);

/// The passages of a text. Throws std::invalid_argument, with the remedy, where settings do not go
/// together, or passages do not fit into a text.
PairedPassages passages_asked_for(const Params& params, const Context& context);

/// The places of the example of a text of so many tokens, at most.
std::int64_t places_of(const PairedPassages& settings, std::int64_t text_tokens);

}  // namespace ablate::objectives

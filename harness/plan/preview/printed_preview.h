// A preview as text for a reader.

#pragma once

#include <string>

#include "harness/plan/preview/preview.h"

namespace ablate::plan {

/// What `ablate preview` prints: the tokens of each example, what every head predicts, who sees
/// whom, and the realised beside the intended rates. An example that looks like an earlier one of
/// the same text is named and not drawn again. Spellings of tokens are not made safe for a terminal.
std::string printed(const Preview& preview);

}  // namespace ablate::plan

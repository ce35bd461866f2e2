// What the answer does not hold for: what all trials have in common.

#pragma once

#include <string>

#include "reports/analysis/analysis.h"

namespace ablate::reports {

/// "What this cannot tell: the outcome at other sizes (here 116 k parameters), after longer training (here 1.97 M tokens
/// of text), or on anything but the built-in language.", by what completed trials recorded; empty without any.
std::string limits(const Analysis& analysis);

}  // namespace ablate::reports

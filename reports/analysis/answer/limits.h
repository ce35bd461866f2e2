// What the answer does not hold for: what all trials have in common.

#pragma once

#include <string>

#include "reports/analysis/analysis.h"

namespace ablate::reports {

/// "Not tested: other model sizes (here 116 k parameters), longer training (here 1.97 M tokens of text), anything but the
/// built-in language.", by what completed trials recorded; empty without any.
std::string limits(const Analysis& analysis);

}  // namespace ablate::reports

// A paragraph on the result, to be edited into a paper.

#pragma once

#include <string>
#include <vector>

#include "reports/analysis/analysis.h"
#include "reports/paper/numbers/macros.h"

namespace ablate::reports {

/// The paragraph, in LaTeX. It claims what was tested; each measured number in it is a macro.
std::string snippet(const Analysis& analysis, const std::vector<Macro>& macros);

}  // namespace ablate::reports

// What the answer says of the trends that the experiment declared.

#pragma once

#include <vector>

#include "reports/analysis/answer/statement.h"

namespace ablate::reports {

/// "Along rate 0.1 to 0.8, held-out loss of mlm rises.", one for each declared trend; where one value carries it:
/// "..., most of which rests on the value 1: without it the trend is 0.077 ± 0.004." Its size is in the basis.
std::vector<Statement> trend_statements(const Analysis& analysis);

}  // namespace ablate::reports

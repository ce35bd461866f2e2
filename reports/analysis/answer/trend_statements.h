// What the answer says of the trends that the experiment declared.

#pragma once

#include <vector>

#include "reports/analysis/answer/statement.h"

namespace ablate::reports {

/// "Along objective.rate, held_out.excess of mlm rises (linear trend 0.31 ± 0.02 per unit, p < 0.001).",
/// one for each declared trend; where one value carries it: "..., most of which rests on the value 1: without it the
/// trend is 0.077 ± 0.004."
std::vector<Statement> trend_statements(const Analysis& analysis);

}  // namespace ablate::reports

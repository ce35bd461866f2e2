// What the answer says of arms that predict with a larger or smaller network than the baseline.

#pragma once

#include <vector>

#include "reports/analysis/answer/statement.h"

namespace ablate::reports {

/// "mtp[heads=8] predicts with 29.9 k parameters, mtp[heads=1] with 116 k.": arms whose parameters at
/// inference are more than a quarter apart from the baseline's, which may explain a difference by itself. None
/// where there are no such arms.
std::vector<Statement> size_statements(const Analysis& analysis);

}  // namespace ablate::reports

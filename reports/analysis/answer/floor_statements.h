// The statements about arms that are not shown to be better than what needs no training.

#pragma once

#include <vector>

#include "reports/analysis/answer/statement.h"

namespace ablate::reports {

/// "In topic accuracy, mlm is not shown to beat the untrained model.", or "worse" where the
/// 95 % interval of its gain lies below 0; where that holds of all arms, what to do about it; and where the values
/// seen allow one, a forecast of how many seeds would be enough. None where no arm is at its floor.
std::vector<Statement> floor_statements(const Analysis& analysis);

/// The first of these alone: which arms are not shown to be better than their floor, and which are
/// worse.
std::vector<Statement> floor_standings(const Analysis& analysis);

}  // namespace ablate::reports

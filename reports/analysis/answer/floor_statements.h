// The statements about arms that are no better than what needs no training.

#pragma once

#include <vector>

#include "reports/analysis/answer/statement.h"

namespace ablate::reports {

/// "Nothing was learned that topic.accuracy shows: no arm's gain on its floor, topic.untrained, has a
/// 95 % interval above 0.", what to do about it, and where the values seen allow one, a forecast of
/// how many seeds would be enough. None where no arm is at its floor.
std::vector<Statement> floor_statements(const Analysis& analysis);

}  // namespace ablate::reports

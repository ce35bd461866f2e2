// The answer to an experiment's question, in sentences that state only what was tested.

#pragma once

#include <string>
#include <vector>

#include "reports/analysis/answer/statement.h"

namespace ablate::reports {

/// The answer: on the primary differences, unless no arm is shown to be better than its floor; on the arms of which
/// that is true; on arms of another size; and on declared trends.
std::vector<Statement> answer_statements(const Analysis& analysis);

/// Their text.
std::string answer(const Analysis& analysis);

}  // namespace ablate::reports

// The answer to an experiment's question, in sentences that state only what was tested.

#pragma once

#include <string>
#include <vector>

#include "reports/analysis/answer/statement.h"

namespace ablate::reports {

/// The answer: on arms that are not shown to be better than their floor, then on the primary differences, such as
/// "In held_out.excess (nats/token, lower is better), clm is better than mlm by 0.812 ± 0.051 (...).", on arms
/// of another size, and on declared trends.
std::vector<Statement> answer_statements(const Analysis& analysis);

/// Their text.
std::string answer(const Analysis& analysis);

}  // namespace ablate::reports

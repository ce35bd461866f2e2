// The answer to an experiment's question, in one sentence that claims no more than was tested.

#pragma once

#include <string>

#include "reports/analysis/analysis.h"

namespace ablate::reports {

/// "In held_out.excess (nats/token, lower is better), clm is better than mlm by 0.812 ± 0.051
/// (...)."
std::string answer(const Analysis& analysis);

/// The test behind the verdicts, its correction and what it could have found, in sentences.
std::string method(const Analysis& analysis);

}  // namespace ablate::reports

// The answer to an experiment's question, in one sentence that states only what was tested.

#pragma once

#include <string>

#include "reports/analysis/analysis.h"

namespace ablate::reports {

/// The answer, such as "In held_out.excess (nats/token, lower is better), clm is better than mlm by
/// 0.812 ± 0.051 (...)."
std::string answer(const Analysis& analysis);

/// Sentences on the test behind the verdicts, its correction and its power.
std::string method(const Analysis& analysis);

}  // namespace ablate::reports

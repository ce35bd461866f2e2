// Which quantities are equal in the arms of an experiment, and which are not.

#pragma once

#include <string>

#include "reports/analysis/analysis.h"

namespace ablate::reports {

/// The sentence on the quantities that the plan matched:
/// "Matched between arms on parameters (0 % apart), tokens (0.4 % apart); at most 1 % was allowed."
std::string matching(const store::StoredPlan& plan);

/// "Differs between arms: FLOPs, 718 G (clm) to 1.09 T (fim); ...": counts of the completed trials
/// that differ by more than 1 %. Empty where none does.
std::string not_matched(const Analysis& analysis);

}  // namespace ablate::reports

// Unites two plans of one experiment.

#pragma once

#include <set>
#include <string>

#include "harness/base/json/json.h"

namespace ablate::store {

/// `plan` with the arms, trials, banks and ledger rows of `more` that it lacks. Trials are ordered
/// by arm and seed; the arms by the complete experiment, where the plans are parts of one, and else
/// as they come. What is said about the arms together (match, power, warnings) becomes that of the
/// complete experiment once nothing of it is missing; before, only what still holds is kept.
/// Requires: a trial of one arm and one seed has the same id in both.
Json united(Json plan, const Json& more);

/// What united() adds to another plan for some arms of `plan`: {"arms", "ledger", "metrics",
/// "resolved", "setups", "trials"}. None of the arms is the baseline.
Json only_arms(const Json& plan, const std::set<std::string>& arms);

}  // namespace ablate::store

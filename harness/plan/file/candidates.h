// The candidates of a swept path: a list of values, or a formula that makes one.

#pragma once

#include <string>
#include <vector>

#include "harness/base/json/json.h"

namespace ablate::plan {

/// Maximum number of candidates for one path.
constexpr double kMaxCandidates = 100'000;

/// The number of candidates; 0 if `given` does not describe any.
double count_candidates(const Json& given);

/// The candidates. {"linspace": [a, b, n]} and {"logspace": [a, b, n]} are n values from a to b,
/// inclusive; {"range": [a, b, step]} is a, a + step ... up to b. Values are rounded to 12 digits.
/// Requires: count_candidates() is at least 1 and at most kMaxCandidates.
std::vector<Json> candidates(const Json& given);

/// The error message for `given`; empty if it describes candidates.
std::string refusal_of_candidates(const Json& given);

}  // namespace ablate::plan

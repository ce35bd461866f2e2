// The candidates of a swept path: a list of values, or a closed way of making one.

#pragma once

#include <string>
#include <vector>

#include "harness/base/json/json.h"

namespace ablate::plan {

constexpr double kMaxCandidates = 100'000;

/// How many there are; 0 where `given` describes none.
double count_candidates(const Json& given);

/// The values. Requires: counted before, at least 1 and at most kMostCandidates.
/// {"linspace": [a, b, n]} and {"logspace": [a, b, n]}: n values from a to b, both among them;
/// {"range": [a, b, step]}: a, a + step ... up to b. Made by index, rounded to 12 digits.
std::vector<Json> candidates(const Json& given);

/// What is wrong with `given`, or nothing.
std::string refusal_of_candidates(const Json& given);

}  // namespace ablate::plan

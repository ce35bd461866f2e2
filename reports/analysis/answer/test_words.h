// How the primary differences were tested, in words.

#pragma once

#include <string>

#include "reports/analysis/analysis.h"

namespace ablate::reports {

/// "paired over 6 seeds, exact sign-flip test, Holm over 4 comparisons".
std::string test_phrase(const Analysis& analysis);

/// The test that decided, with its p: "p = 0.031; paired over 6 seeds, exact sign-flip test". Empty where none did.
std::string decided_by(const Analysis& analysis, const Difference& difference);

/// "nats/target, lower is better; paired over 6 seeds, exact sign-flip test."
std::string test_basis(const Analysis& analysis, const std::string& test);

}  // namespace ablate::reports

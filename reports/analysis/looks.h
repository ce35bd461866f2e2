// Tests of an experiment that is run until it is decided, whose differences are looked at several
// times.

#pragma once

#include <optional>
#include <string>

#include "reports/analysis/analysis.h"

namespace ablate::reports {

/// The looks that a plan keeps, and how many of them are complete: every trial of their seeds has
/// ended. None for a plan without looks. `arms`: with their trials.
std::optional<LooksSoFar> looks_of(const store::StoredPlan& plan,
                                   const std::vector<ArmResult>& arms);

/// p of the sign-flip test of a difference, with what looks so far and to come take of alpha. Without
/// looks it is the test of all values. Requires: a value.
double sign_flip_p_of(const Analysis& analysis, const Estimate& difference);

/// p of equivalence within the smallest effect of interest, in the same way. Requires: it is given,
/// and two values.
double equivalence_p_of(const Analysis& analysis, const Estimate& difference);

/// p of "worse by more than the smallest effect of interest", in the same way. `better`: of the
/// metric. Requires the same.
double non_inferiority_p_of(const Analysis& analysis, const Estimate& difference, Better better);

/// p of any other test, at the look that is complete, as part of alpha allows: p / w, at most 1.
double p_at_look(const Analysis& analysis, double p);

/// The level of the t-interval of a primary difference: .05 without looks, less with.
double interval_level_of(const Analysis& analysis, const Estimate& difference);

/// The smallest p that the sign-flip test of `pairs` differences can give, however large they are.
double smallest_p_of(const Analysis& analysis, std::int64_t pairs);

/// Whether no more seeds are needed: every primary difference is better, worse, equivalent or not
/// comparable, or has an obstacle that seeds do not remove.
bool is_decided(const Analysis& analysis);

/// How often was looked, and what that means for p and intervals; empty without looks.
std::string looks_sentence(const Analysis& analysis);

/// What the interval of a primary difference is called: "95 % t-interval", or that of its look.
std::string interval_name(const Analysis& analysis);

}  // namespace ablate::reports

// The trend contrasts that the experiment declared: tests of the same family as the comparisons with
// the baseline.

#pragma once

#include <string>
#include <vector>

#include "reports/analysis/analysis.h"

namespace ablate::reports {

/// The contrasts of the declared trends, in their order, not yet adjusted: one for each family of
/// arms that a trend is of, or one without values where the records have no such family. `analysis`:
/// with arms, metrics and looks.
std::vector<TrendContrast> trend_contrasts(const Json& declared, const Analysis& analysis);

/// What an adjusted contrast shows: "rises", "falls", "bends upwards", "bends downwards",
/// "not testable with 4 seeds" or "inconclusive". Like an arm's verdict it asks for an adjusted p
/// below alpha and an interval that excludes 0.
std::string trend_verdict(const Analysis& analysis, const TrendContrast& contrast);

/// "linear" or "quadratic".
std::string shape_of(const TrendContrast& contrast);

/// A sentence for each declared trend, each after a space; empty where none was declared.
std::string trend_sentences(const Analysis& analysis);

}  // namespace ablate::reports

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

/// Whether a contrast was found. Like an arm's verdict that takes an adjusted p below alpha and an
/// interval that excludes 0.
bool shows_trend(const Analysis& analysis, const TrendContrast& contrast);

/// What an adjusted contrast shows: "rises", "falls", "is convex", "is concave",
/// "not testable with 4 seeds" or "inconclusive".
std::string trend_verdict(const Analysis& analysis, const TrendContrast& contrast);

/// "the value 1: without it the trend is 0.077 ± 0.004".
std::string carrying_phrase(const CarryingValue& carrying);

/// "linear" or "quadratic".
std::string shape_of(const TrendContrast& contrast);

}  // namespace ablate::reports

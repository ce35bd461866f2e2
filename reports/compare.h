// Arms against the baseline: paired differences, the declared test, verdicts.

#pragma once

#include "reports/analysis.h"

namespace ablate {

/// Whether values of a metric may stand side by side for these two arms.
bool comparable(const MetricRow& metric, const ArmResult& a, const ArmResult& b);

/// Fills in Analysis::differences and Analysis::comparisons. Requires arms and metrics.
void compare(Analysis& analysis);

}  // namespace ablate

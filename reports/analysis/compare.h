// Arms against the baseline: paired differences, the declared test, verdicts.

#pragma once

#include "reports/analysis/analysis.h"

namespace ablate::reports {

/// Whether values of a metric may stand side by side for these two arms.
bool comparable(const MetricRow& metric, const ArmResult& a, const ArmResult& b);

/// Fills in Analysis::differences and Analysis::comparisons. Requires arms and metrics.
void compare(Analysis& analysis);

/// Fewest and most seeds of a primary difference that has any; 0 where none has.
struct Pairs {
  std::int64_t minimum = 0, maximum = 0;
};
Pairs pairs_of(const Analysis& analysis);

/// How many tests share alpha at the correction's first step.
std::int64_t sharing(const Analysis& analysis);

/// The least p, adjusted, that a primary difference of the most seeds can have.
double minimum_p(const Analysis& analysis);

/// Whether an arm was found better or worse by less than the smallest effect of interest.
bool slight(const Analysis& analysis, const Difference& difference);

}  // namespace ablate::reports

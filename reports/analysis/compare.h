// Arms against the baseline: paired differences, the declared test, verdicts.

#pragma once

#include "reports/analysis/analysis.h"

namespace ablate::reports {

/// Whether values that are comparable across so many arms may be compared between these two.
bool comparable_arms(Comparable across, const ArmResult& a, const ArmResult& b);

/// Fills in Analysis::differences and Analysis::comparisons. Requires: arms and metrics are there.
void compare(Analysis& analysis);

/// The numbers of seed pairs that the primary differences rest on.
struct Pairs {
  std::int64_t minimum = 0, maximum = 0;
};

/// Over the primary differences that have any pairs; zeros where none has.
Pairs pairs_of(const Analysis& analysis);

/// How many tests share alpha at the first step of the correction; at least 1.
std::int64_t sharing(const Analysis& analysis);

/// The smallest adjusted p that a primary difference over the largest number of seeds can have.
double minimum_p(const Analysis& analysis);

/// Whether an arm was found better or worse by less than the smallest effect of interest.
bool slight(const Analysis& analysis, const Difference& difference);

}  // namespace ablate::reports

// Which arms of a column are best, and which cannot be told from the best: what a table in bold
// claims.

#pragma once

#include <map>
#include <string>

#include "reports/analysis/analysis.h"

namespace ablate::reports {

/// Where an arm stands in a metric.
enum class Standing {
  unmarked,    // behind the best, or the column has no best
  best,        // the best mean
  equivalent,  // shown to be within the smallest effect of interest of the best
  unresolved,  // neither shown to differ from the best nor to be equivalent to it
};

/// Each arm's standing, by its name. All other arms are tested against the one with the best mean,
/// paired by seed, as the verdicts are: by the sign-flip test at alpha, adjusted by Holm's method
/// over these arms, and in the primary metric also by the equivalence test. Empty where nothing may
/// be called best: the metric has no better direction, is not comparable across all arms that have
/// it, an arm has fewer than three values, arms lost different numbers of trials to divergence, or the
/// seeds are so few that these tests could find no difference: then all would be "unresolved".
std::map<std::string, Standing> standings(const Analysis& analysis, const MetricRow& metric);

}  // namespace ablate::reports

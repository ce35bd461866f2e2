// Checks the trend contrasts that an experiment declares, and counts them.

#pragma once

#include <cstdint>

#include "harness/plan/price/metrics.h"

namespace ablate::plan {

/// Refuses declared trends along what no arms sweep over, of arms that there are not, in metrics
/// that may not be compared between their arms, and those that are declared twice. Requires: the
/// metrics of all arms, none of which was refused.
void check_trends(const Experiment& experiment, const MetricsByArm& metrics, Faults& faults);

/// How many tests the declared trends add to the family: one for each entry of "arms" that each is
/// of.
std::int64_t count_trends(const Experiment& experiment);

}  // namespace ablate::plan

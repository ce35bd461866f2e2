// Checks that an experiment names a primary metric that its probes yield, and suggests one.

#pragma once

#include "harness/plan/price/metrics.h"

namespace ablate::plan {

/// Adds a fault if several arms are compared without a primary metric, if no probe yields the one that
/// is named, or if the smallest effect of interest is one that it cannot have. The remedy names a metric
/// that these arms and this corpus have. `metrics`: of the listed probes.
void check_primary(const Catalog& catalog, const Experiment& experiment,
                   const MetricsByArm& metrics, Faults& faults);

/// The metrics of the listed probes that compare every other arm with the baseline, in the order in
/// which probes declare them; a few of them where there are many, none where there is one arm.
std::vector<std::string> metrics_that_compare_all(const Experiment& experiment,
                                                  const MetricsByArm& metrics);

}  // namespace ablate::plan

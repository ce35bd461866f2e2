// States before anything runs what the seeds can and cannot show, and warns about the planned
// comparisons.

#pragma once

#include <string>
#include <vector>

#include "harness/plan/price/metrics.h"
#include "harness/plan/price/price.h"

namespace ablate::plan {

/// The number of tests in the declared family: the arms that are compared with the baseline by the
/// primary metric, and the declared trends.
std::int64_t count_comparisons(const Experiment& experiment, const MetricsByArm& metrics);

/// A sentence that states whether the seeds can reach significance, and the smallest effect that
/// they can detect.
std::string power_sentence(const Experiment& experiment, std::int64_t comparisons);

/// Warnings about an experiment that is valid but whose results may be misread.
std::vector<std::string> warnings_of(const Experiment& experiment, const MetricsByArm& metrics,
                                     const std::vector<Price>& prices);

}  // namespace ablate::plan

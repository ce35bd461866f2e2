// States before anything runs what the seeds can and cannot show, and warns about the planned
// comparisons.

#pragma once

#include "harness/plan/price/price.h"

namespace ablate::plan {

/// The metrics that the probes will yield: {arm: [{"name", "unit", "better", "comparable_across",
/// "meaning"}]}. Adds a fault if a probe cannot measure an arm or no arm yields the primary metric.
Json metrics_of(const Catalog& catalog, const Experiment& experiment, Faults& faults);

/// The number of arms that are compared with the baseline by the primary metric.
std::int64_t count_comparisons(const Experiment& experiment, const Json& metrics);

/// A sentence that states whether the seeds can reach significance, and the smallest effect that
/// they can detect.
std::string power_sentence(const Experiment& experiment, std::int64_t comparisons);

/// Warnings about an experiment that is valid but whose results may be misread.
std::vector<std::string> warnings_of(const Experiment& experiment, const Json& metrics,
                                     const std::vector<Price>& prices);

}  // namespace ablate::plan

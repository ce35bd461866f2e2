// What the seeds can and cannot show, said before anything runs; and what a reader should know of
// the planned comparisons.

#pragma once

#include "harness/plan/price/price.h"

namespace ablate::plan {

/// {arm: [{"name", "unit", "better", "comparable_across", "meaning"}]}: what the probes will yield.
/// Adds to `faults` where a probe cannot measure an arm or no arm yields the primary metric.
Json metrics_of(const Catalog& catalog, const Experiment& experiment, Faults& faults);

/// Arms that the primary metric compares with the baseline.
std::int64_t count_comparisons(const Experiment& experiment, const Json& metrics);

/// One sentence: whether the seeds can reach significance, and the smallest effect that they find.
std::string power_sentence(const Experiment& experiment, std::int64_t comparisons);

/// What is legal and still worth saying.
std::vector<std::string> warnings_of(const Experiment& experiment, const Json& metrics,
                                     const std::vector<Price>& prices);

}  // namespace ablate::plan

// States before anything runs what the seeds can and cannot show, and warns about the planned
// comparisons.

#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/plan/price/price.h"

namespace ablate::plan {

/// The metrics that the probes will yield, by the name of the arm.
using MetricsByArm = std::map<std::string, std::vector<Metric>>;

/// The metrics of all arms. Adds a fault if a probe cannot measure an arm or no arm yields the
/// primary metric.
MetricsByArm metrics_of(const Catalog& catalog, const Experiment& experiment, Faults& faults);

/// The metrics as Plan::metrics.
Json metrics_json(const MetricsByArm& metrics);

/// The number of arms that are compared with the baseline by the primary metric.
std::int64_t count_comparisons(const Experiment& experiment, const MetricsByArm& metrics);

/// A sentence that states whether the seeds can reach significance, and the smallest effect that
/// they can detect.
std::string power_sentence(const Experiment& experiment, std::int64_t comparisons);

/// Warnings about an experiment that is valid but whose results may be misread.
std::vector<std::string> warnings_of(const Experiment& experiment, const MetricsByArm& metrics,
                                     const std::vector<Price>& prices);

}  // namespace ablate::plan

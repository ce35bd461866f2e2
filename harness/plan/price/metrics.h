// The metrics that the probes will yield for each arm, and which arms they compare.

#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "harness/plan/read/experiment.h"

namespace ablate::plan {

/// The metrics that the probes will yield, by the name of the arm.
using MetricsByArm = std::map<std::string, std::vector<Metric>>;

/// The metrics of all arms. Adds a fault if a probe cannot measure an arm. Empty if the kind of
/// corpus, on which metrics depend, is not known.
MetricsByArm metrics_of(const Catalog& catalog, const Experiment& experiment, Faults& faults);

/// The metrics that a probe would yield for all arms, whether or not the experiment lists it.
/// Requires: the kind of corpus is known.
MetricsByArm metrics_of(const Catalog& catalog, const Experiment& experiment,
                        const ProbeSpec& probe);

/// Whether a probe can measure all arms with its default settings. Requires as above.
bool works_by_default(const Catalog& catalog, const Experiment& experiment, const ProbeSpec& probe);

/// A metric as in Plan::metrics: {"name", "label", "unit", "better", "comparable_across", "meaning",
/// "subject", "bounds"}; where it has them "caveat", "index" and "task". store::stored_metric() reads it.
Json metric_json(const Metric& metric);

/// The metrics as Plan::metrics.
Json metrics_json(const MetricsByArm& metrics);

/// Whether the metric `name` may be compared between two arms, given by their indices: both have it,
/// and it means the same in them.
bool compares(const Experiment& experiment, const MetricsByArm& metrics, const std::string& name,
              std::size_t a, std::size_t b);

/// For each arm, whether the metric `name` may be compared between it and the baseline. False for
/// the baseline itself.
std::vector<bool> compared_by(const Experiment& experiment, const MetricsByArm& metrics,
                              const std::string& name);

/// Calls `work` for every arm, in order. What it is given lives as long as the call.
void for_each_probed(
    const Catalog& catalog, const Experiment& experiment,
    const std::function<void(const ResolvedArm& arm, const ProbedArm& probed)>& work);

}  // namespace ablate::plan

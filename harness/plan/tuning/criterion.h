// Finds the metric that chooses learning rates, and the probe that measures it.

#pragma once

#include <optional>

#include "harness/plan/read/experiment.h"

namespace ablate::plan {

/// The metric that chooses, and how it is measured.
struct Criterion {
  Metric metric;  // as the baseline declares it
  PlannedProbe probe;
};

/// The criterion of an experiment with "tuning": measured by a probe that the experiment lists or,
/// else, by one with its default settings. Adds a fault if no probe yields the metric for every arm
/// from the corpus alone, or if it has no better direction; none is returned then. Requires: the
/// kind of corpus is known, and there are arms.
std::optional<Criterion> find_criterion(const Catalog& catalog, const Experiment& experiment,
                                        Faults& faults);

}  // namespace ablate::plan

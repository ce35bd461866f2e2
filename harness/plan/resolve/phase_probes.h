// Probes that ask about phases of training: what they yield for an arm, and when they cannot.

#pragma once

#include "harness/plan/read/experiment.h"

namespace ablate::plan {

/// The metrics of a probe for an arm: those of its objective, and of its phases where the probe
/// asks about them.
std::vector<Metric> metrics_of_arm(const Catalog& catalog, const ProbeSpec& probe,
                                   const ResolvedArm& arm, const ProbedArm& probed);

/// Refuses a probe of the experiment's list that asks about phases where no arm names any, or where
/// phases of one name, whose metrics share theirs, are of unlike objectives or corpora.
void check_phase_probe(const Experiment& experiment, const ProbeSpec& probe, std::size_t index,
                       Faults& faults);

}  // namespace ablate::plan

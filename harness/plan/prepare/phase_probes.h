// Probes that measure phases of training: their metrics for an arm, and when they are refused.

#pragma once

#include "harness/plan/read/experiment.h"

namespace ablate::plan {

/// The metrics of a probe for an arm: those of the arm's objective and, if the probe measures
/// phases, those of its phases.
std::vector<Metric> metrics_of_arm(const Catalog& catalog, const ProbeSpec& probe,
                                   const Params& params, const ResolvedArm& arm,
                                   const ProbedArm& probed);

/// Adds a fault if a probe measures phases but no arm has any, or if phases with the same name, and
/// therefore the same metrics, have different objectives, contexts or corpora.
void check_phase_probe(const Experiment& experiment, const PlannedProbe& probe, Faults& faults);

}  // namespace ablate::plan

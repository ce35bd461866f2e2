// Decides in which precision an arm's products are computed.

#pragma once

#include <string>
#include <string_view>

#include "harness/plan/read/experiment.h"
#include "harness/plan/trial/plan.h"

namespace ablate::plan {

/// Replaces the precision "auto" in every arm by the one that fits `machine`. Returns whether any
/// arm had "auto". A trial's id is
/// fixed by its plan, so a plan is made for what trains: the processor or a device.
bool resolve_precision(const Machine& machine, Experiment& experiment);

/// A sentence about the precision of the arms and the instructions of the kernels. `automatic`: the
/// machine decided it for an arm, which the sentence then mentions.
std::string precision_sentence(const Machine& machine, const Experiment& experiment,
                               bool automatic);

}  // namespace ablate::plan

// Decides in which precision an arm's products are computed.

#pragma once

#include <string>
#include <string_view>

#include "harness/plan/read/experiment.h"
#include "harness/plan/trial/plan.h"

namespace ablate::plan {

/// Replaces the precision "auto" in every arm by the one that fits `machine`. Returns whether any
/// arm had "auto". The processor decides even if a GPU trains later: a trial's id is fixed by its
/// plan, and a plan does not depend on the device.
bool resolve_precision(const Machine& machine, Experiment& experiment);

/// A sentence about the precision of the arms and the instructions of the kernels. `automatic`: the
/// processor decided it for an arm, which the sentence then mentions.
std::string precision_sentence(const Machine& machine, const Experiment& experiment,
                               bool automatic);

/// A note for a user who runs `plan` on `device` in float32 only because of the processor; empty in
/// all other cases.
std::string precision_note(const Machine& machine, const Plan& plan, std::string_view device);

}  // namespace ablate::plan

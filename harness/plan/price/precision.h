// In which precision an arm's products are computed on this machine.

#pragma once

#include <string>
#include <string_view>

#include "harness/plan/read/experiment.h"
#include "harness/plan/trial/plan.h"

namespace ablate::plan {

/// Puts what "auto" means on `machine` in its place, in every arm; returns whether one said it.
/// The processor decides, whatever device trains later: a trial's identity is settled by its plan,
/// and a plan knows no device.
bool resolve_precision(const Machine& machine, Experiment& experiment);

/// In which precision the arms train and by which instructions, and who decided it where one is
/// `automatic`.
std::string precision_sentence(const Machine& machine, const Experiment& experiment,
                               bool automatic);

/// What to say where `plan` is run on `device` in float32 only because of the processor; else
/// empty.
std::string precision_note(const Machine& machine, const Plan& plan, std::string_view device);

}  // namespace ablate::plan

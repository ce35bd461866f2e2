// In which precision an arm's products are computed on this machine.

#pragma once

#include "harness/plan/experiment.h"

namespace ablate {

/// Puts what "auto" means on `machine` in its place, in every arm.
void resolve_precision(const Machine& machine, Experiment& experiment);

/// In which precision the arms train and by which instructions, in a sentence.
std::string precision_sentence(const Machine& machine, const Experiment& experiment);

}  // namespace ablate

// A step on the processor.

#pragma once

#include <memory>

#include "harness/train/step/bank_step.h"

namespace ablate::train {

/// Each operation is done when it returns.
std::unique_ptr<BankStep> host_step(StepSettings settings);

}  // namespace ablate::train

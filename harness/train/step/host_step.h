// A training step on the CPU.

#pragma once

#include <memory>

#include "harness/train/step/bank_step.h"

namespace ablate::train {

/// A step that runs on the CPU and is complete when run() returns.
std::unique_ptr<BankStep> host_step(StepSettings settings);

}  // namespace ablate::train

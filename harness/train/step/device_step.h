// A step that a device works off by itself.

#pragma once

#include <memory>

#include "harness/train/step/bank_step.h"
#include "harness/train/step/repeated.h"

namespace ablate::train {

/// Nothing waits for the device. What a step reads is packed on the host while the device works on
/// the steps before: in pinned memory, which LibTorch gives back for later steps once the copy is
/// over, so that there are as many buffers as steps on their way. It is copied to the same place
/// each time, so that the step can be recorded; it is recorded anew when its shape changes. With
/// dropout nothing is recorded: masks are drawn on the host by seed, step and unit, and a recording
/// would repeat the first ones. `recorder`: null where nothing can be recorded.
std::unique_ptr<BankStep> device_step(StepSettings settings, std::unique_ptr<Recorder> recorder);

}  // namespace ablate::train

// A training step that is queued on a device.

#pragma once

#include <memory>

#include "harness/train/step/bank_step.h"
#include "harness/train/step/repeated.h"

namespace ablate::train {

/// A step whose run() never waits for the device. Its inputs are packed on the host while the
/// device works on earlier steps. They are packed in pinned memory, which LibTorch reuses once the
/// copy is complete, so there are as many buffers as steps in flight. They are copied to the same
/// place each time, so that the step can be recorded; a change of shape records it again.
///
/// Of micro-batches, the gradients of one and the update are two recordings.
std::unique_ptr<BankStep> device_step(StepSettings settings, const NewRecorder& recorder);

}  // namespace ablate::train

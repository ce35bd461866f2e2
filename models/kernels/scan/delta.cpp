// The generalised delta rule, for the instruction set at hand.

#include "models/kernels/scan/delta.h"

#define ABLATE_LOOPS "models/kernels/scan/delta.inc"
#include "models/kernels/simd/each_instruction_set.h"

namespace ablate::models::kernels {

void delta(DeltaShape shape, DeltaRow row, DeltaOutputs made) {
  ABLATE_DISPATCH(delta(shape, row, made));
}

void delta_backward(DeltaShape shape, DeltaRow row, DeltaGradients gradients) {
  ABLATE_DISPATCH(delta_backward(shape, row, gradients));
}

}  // namespace ablate::models::kernels

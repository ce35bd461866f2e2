// The recurrence of a state-space layer, for the instruction set at hand.

#include "models/kernels/scan/scan.h"

#define ABLATE_LOOPS "models/kernels/scan/scan.inc"
#include "models/kernels/simd/each_instruction_set.h"

namespace ablate::models::kernels {

void scan(ScanShape shape, ScanRow row, float* outputs) {
  ABLATE_DISPATCH(scan(shape, row, outputs));
}

void scan_backward(ScanShape shape, ScanRow row, ScanGradients gradients) {
  ABLATE_DISPATCH(scan_backward(shape, row, gradients));
}

void convolve(ConvolutionShape shape, ConvolutionRow row, float* outputs) {
  ABLATE_DISPATCH(convolve(shape, row, outputs));
}

void convolve_backward(ConvolutionShape shape, ConvolutionRow row, ConvolutionGradients gradients) {
  ABLATE_DISPATCH(convolve_backward(shape, row, gradients));
}

}  // namespace ablate::models::kernels

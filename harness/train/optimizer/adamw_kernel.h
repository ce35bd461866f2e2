// The inner loops of the optimizer on the CPU: one pass over memory each, for the processor at
// hand.

#pragma once

#include <cstdint>

namespace ablate::train {

/// What one update of one lane multiplies by; see AdamW.
struct AdamWFactors {
  float beta1 = 0;
  float beta2 = 0;
  float epsilon = 0;
  float clip = 1;       // of the gradient, so that its norm is in bounds
  float step_size = 0;  // learning rate / (1 - beta1^t)
  float unbiased = 1;   // 1 / sqrt(1 - beta2^t)
  float decay = 0;      // learning rate * weight decay
};

/// The sum of squares, added in an order that depends on `count` alone.
double sum_of_squares(const float* values, std::int64_t count);

/// Updates values and moments from the gradient, and sets the gradient to 0. Each element by the
/// same operations wherever it stands, so that neither alignment nor processor changes a bit.
void adamw_update(float* values, float* gradient, float* mean, float* square, std::int64_t count,
                  const AdamWFactors& factors);

}  // namespace ablate::train

// The optimizer's inner loops on the CPU. Each makes one pass over memory, with the vector
// instructions of the current processor.

#pragma once

#include <cstdint>

namespace ablate::train {

/// The factors of one update of one lane; see AdamW.
struct AdamWFactors {
  float beta1 = 0;
  float beta2 = 0;
  float epsilon = 0;
  float clip = 1;       // scales the gradient, so that its norm is in bounds
  float step_size = 0;  // learning rate / (1 - beta1^t)
  float unbiased = 1;   // 1 / sqrt(1 - beta2^t)
  float decay = 0;      // learning rate * weight decay
};

/// The sum of the squares of `count` values. The order of summation depends on `count` alone.
double sum_of_squares(const float* values, std::int64_t count);

/// Updates values and moments from the gradient, and sets the gradient to 0. All five arrays have
/// `count` elements. Each element takes the same operations wherever it is, so that the result is
/// bitwise the same for every alignment and processor.
void adamw_update(float* values, float* gradient, float* mean, float* square, std::int64_t count,
                  const AdamWFactors& factors);

}  // namespace ablate::train

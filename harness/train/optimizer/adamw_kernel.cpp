// The inner loops of AdamW, compiled once for each kind of vector unit; CMakeLists.txt sets the
// options that let the compiler make vectors of them.

#include "harness/train/optimizer/adamw_kernel.h"

#include <cmath>

#include "harness/base/clones.h"

namespace ablate::train {

ABLATE_CLONES double sum_of_squares(const float* values, std::int64_t count) {
  constexpr std::int64_t kSums = 32;
  double sums[kSums] = {};
  std::int64_t i = 0;
  for (; i + kSums <= count; i += kSums)
    for (std::int64_t k = 0; k < kSums; ++k) {
      const double value = values[i + k];
      sums[k] += value * value;
    }
  for (std::int64_t k = 0; i + k < count; ++k) {
    const double value = values[i + k];
    sums[k] += value * value;
  }
  double sum = 0;
  for (const double part : sums) sum += part;
  return sum;
}

ABLATE_CLONES void adamw_update(float* __restrict values, float* __restrict gradient,
                                float* __restrict mean, float* __restrict square,
                                std::int64_t count, const AdamWFactors& factors) {
  const AdamWFactors f = factors;
  const float fresh1 = 1 - f.beta1;
  const float fresh2 = 1 - f.beta2;
  const float kept = 1 - f.decay;
  for (std::int64_t i = 0; i < count; ++i) {
    const float g = gradient[i] * f.clip;
    const float m = f.beta1 * mean[i] + fresh1 * g;
    const float v = f.beta2 * square[i] + fresh2 * g * g;
    mean[i] = m;
    square[i] = v;
    gradient[i] = 0;
    values[i] = kept * values[i] - f.step_size * m / (std::sqrt(v) * f.unbiased + f.epsilon);
  }
}

}  // namespace ablate::train

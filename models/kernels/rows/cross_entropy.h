// Cross-entropy that overwrites the logits with its gradient.

#pragma once

#include <cstdint>

#include "models/kernels/simd/simd.h"

namespace ablate::models::kernels {

struct CrossEntropyShape {
  std::int64_t rows, classes;
  float scale;  // logits = scale * products
};

/// The sum of weights[row] * cross-entropy of targets[row], nats. Replaces `products` [rows,
/// classes] with the gradient of this sum with respect to them. Requires: targets in [0, classes).
template <class T>
double cross_entropy(CrossEntropyShape shape, T* products, const std::int64_t* targets,
                     const float* weights);

}  // namespace ablate::models::kernels

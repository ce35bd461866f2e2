// Cross-entropy that leaves its gradient where the logits were.

#pragma once

#include <cstdint>

#include "models/kernels/simd/simd.h"

namespace ablate::models::kernels {

struct CrossEntropyShape {
  std::int64_t rows, classes;
  float scale;  // logits = scale * products
};

/// The total cost of `targets` [rows], in nats by `weights` [rows]; `products` [rows, classes]
/// become the cost's gradient by them. Requires: targets in [0, classes).
template <class T>
double cross_entropy(CrossEntropyShape shape, T* products, const std::int64_t* targets,
                     const float* weights);

}  // namespace ablate::models::kernels

// Cross-entropy on a device that overwrites the logits with its gradient.

#pragma once

#include <cstdint>

#include "harness/train/cuda/stream.h"

namespace ablate::models::kernels {

/// Rows of products, of which a row of each lane is `stride` targets apart from the next lane's.
struct DeviceCrossEntropy {
  std::int64_t lanes, rows;  // rows of one lane
  std::int64_t classes;
  float scale;                  // logits = scale * products
  std::int64_t stride;          // targets, weights and losses from lane to lane
  const std::int64_t* targets;  // [lane, row], in [0, classes)
  const float* weights;         // [lane, row]
  float* losses;                // [lane, row], written: weight * cross-entropy, nats
};

/// Replaces `products` [lane, row, class] by the gradient of the sum of the losses.
template <class T>
void cross_entropy(const DeviceCrossEntropy& shape, T* products, train::DeviceQueue stream);

}  // namespace ablate::models::kernels

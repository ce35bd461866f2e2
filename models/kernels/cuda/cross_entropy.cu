// Cross-entropy, a block a row. The row is read three times, from the cache after the first.

#include "models/kernels/cuda/cross_entropy.h"

#include "harness/train/cuda/launch.cuh"
#include "models/kernels/cuda/element.cuh"

namespace ablate::models::kernels {
namespace {

template <class T>
__global__ void score_row(DeviceCrossEntropy shape, T* products) {
  using namespace train;
  T* const row = products + (blockIdx.y * shape.rows + blockIdx.x) * shape.classes;
  const std::int64_t own = blockIdx.y * shape.stride + blockIdx.x;
  const std::int64_t target = shape.targets[own];
  const float chosen = value_of(row[target]) * shape.scale;
  float highest = -INFINITY;
  for (std::int64_t i = threadIdx.x; i < shape.classes; i += kBlockThreads)
    highest = Maximum()(highest, value_of(row[i]) * shape.scale);
  highest = over_block(highest, Maximum());
  float total = 0;
  for (std::int64_t i = threadIdx.x; i < shape.classes; i += kBlockThreads)
    total += std::exp(value_of(row[i]) * shape.scale - highest);
  total = over_block(total, Sum());  // all threads have read `chosen` by now
  const float weight = shape.weights[own], factor = weight * shape.scale;
  for (std::int64_t i = threadIdx.x; i < shape.classes; i += kBlockThreads) {
    const float probability = std::exp(value_of(row[i]) * shape.scale - highest) / total;
    store(row[i], factor * (i == target ? probability - 1 : probability));
  }
  if (threadIdx.x == 0) shape.losses[own] = weight * (std::log(total) + highest - chosen);
}

}  // namespace

template <class T>
void cross_entropy(const DeviceCrossEntropy& shape, T* products, train::Stream stream) {
  if (shape.rows == 0) return;
  train::launch("cross_entropy", score_row<T>,
                {static_cast<unsigned>(shape.rows), static_cast<unsigned>(shape.lanes)}, stream,
                shape, products);
}

template void cross_entropy(const DeviceCrossEntropy&, float*, train::Stream);
template void cross_entropy(const DeviceCrossEntropy&, BFloat16*, train::Stream);

}  // namespace ablate::models::kernels

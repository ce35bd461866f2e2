// Cross-entropy: a warp a row, which it holds; a block a row where there are many classes, which is
// read three times, from the cache after the first.

#include "models/kernels/cuda/cross_entropy.h"

#include "harness/train/cuda/launch.cuh"
#include "models/kernels/cuda/element.cuh"

namespace ablate::models::kernels {
namespace {

template <class Row, class T>
__global__ void score_held_row(DeviceCrossEntropy shape, T* products) {
  using namespace train;
  const std::int64_t row = Row::Team::row(), lane = row / shape.rows;
  if (lane >= shape.lanes) return;  // all threads of the row
  products += row * shape.classes;
  const auto classes = static_cast<int>(shape.classes);
  float logits[Row::kHeld];
  Row::each(classes, [&](int j, int i) { logits[j] = value_of(products[i]) * shape.scale; });
  float highest = -INFINITY;
  Row::each(classes, [&](int j, int) { highest = Maximum()(highest, logits[j]); });
  highest = Row::Team::over(highest, Maximum());
  const std::int64_t own = lane * shape.stride + row % shape.rows;
  const std::int64_t target = shape.targets[own];
  float total = 0, chosen = 0;  // `chosen`: the target's logit, in the thread that holds it
  Row::each(classes, [&](int j, int i) {
    if (i == target) chosen = logits[j];
    logits[j] = std::exp(logits[j] - highest);
    total += logits[j];
  });
  total = Row::Team::over(total, Sum());
  chosen = Row::Team::over(chosen, Sum());
  const float weight = shape.weights[own], factor = weight * shape.scale;
  Row::each(classes, [&](int j, int i) {
    const float probability = logits[j] / total;
    store(products[i], factor * (i == target ? probability - 1 : probability));
  });
  if (Row::Team::own() == 0) shape.losses[own] = weight * (std::log(total) + highest - chosen);
}

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
void cross_entropy(const DeviceCrossEntropy& shape, T* products, train::DeviceQueue stream) {
  if (shape.rows == 0) return;
  const auto held = [&](auto row) {
    using Row = decltype(row);
    train::launch("cross_entropy", score_held_row<Row, T>, Row::grid(shape.lanes * shape.rows),
                  stream, shape, products);
  };
  using Short = train::HeldRow<train::Warp, 8>;
  using Long = train::HeldRow<train::Warp, 32>;
  if (shape.classes <= Short::kMost) return held(Short());
  if (shape.classes <= Long::kMost) return held(Long());
  train::launch("cross_entropy", score_row<T>,
                {static_cast<unsigned>(shape.rows), static_cast<unsigned>(shape.lanes)}, stream,
                shape, products);
}

template void cross_entropy(const DeviceCrossEntropy&, float*, train::DeviceQueue);
template void cross_entropy(const DeviceCrossEntropy&, BFloat16*, train::DeviceQueue);

}  // namespace ablate::models::kernels

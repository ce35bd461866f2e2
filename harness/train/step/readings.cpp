// Losses and gradient norms of steps, buffered on the device.

#include "harness/train/step/readings.h"

#include <ATen/ops/empty.h>

namespace ablate::train {

Readings::Readings(std::int64_t heads, std::int64_t lanes, std::int64_t capacity,
                   const std::string& device)
    : kept_(at::empty({capacity, heads + 1, lanes},
                      at::TensorOptions().dtype(at::kDouble).device(at::Device(device)))) {}

void Readings::add(const at::Tensor& losses, const at::Tensor& norms) {
  const at::Tensor step = kept_.select(0, count_++);
  const std::int64_t heads = step.size(0) - 1;
  step.narrow(0, 0, heads).copy_(losses);
  step.select(0, heads).copy_(norms);
}

at::Tensor Readings::take() {
  at::Tensor all = kept_.narrow(0, 0, count_).cpu();
  count_ = 0;
  return all;
}

}  // namespace ablate::train

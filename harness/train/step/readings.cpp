// What steps came to, buffered on the device.

#include "harness/train/step/readings.h"

#include <ATen/ops/empty.h>

namespace ablate::train {

Readings::Readings(std::int64_t heads, std::int64_t facts, std::int64_t lanes,
                   std::int64_t capacity, const std::string& device)
    : heads_(heads),
      kept_(at::empty({capacity, heads + 1 + facts, lanes},
                      at::TensorOptions().dtype(at::kDouble).device(at::Device(device)))) {}

void Readings::add(const StepResult& made) {
  const at::Tensor step = kept_.select(0, count_++);
  const std::int64_t facts = step.size(0) - heads_ - 1;
  step.narrow(0, 0, heads_).copy_(made.losses);
  step.select(0, heads_).copy_(made.norms);
  if (facts == 0) return;
  const at::Tensor counted = step.narrow(0, heads_ + 1, facts);
  if (made.facts.defined())
    counted.copy_(made.facts);
  else
    counted.zero_();  // a phase whose heads count nothing
}

at::Tensor Readings::take() {
  at::Tensor all = kept_.narrow(0, 0, count_).cpu();
  count_ = 0;
  return all;
}

}  // namespace ablate::train

// Low-precision copies of the weight matrices, updated once per step.

#include "models/operations/low_precision.h"

#include <c10/core/GradMode.h>
#include <torch/csrc/autograd/custom_function.h>

namespace ablate::models {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// Returns the copy with the gradient of a cast from the master.
struct Cast : torch::autograd::Function<Cast> {
  static at::Tensor forward(AutogradContext*, const at::Tensor& master, const at::Tensor& copy) {
    static_cast<void>(master);
    return copy.variable_data();  // the same memory, with a separate autograd history
  }

  static variable_list backward(AutogradContext*, variable_list gradients) {
    return {gradients[0].to(at::kFloat), at::Tensor()};
  }
};

}  // namespace

void LowPrecision::renew() {
  const c10::NoGradGuard no_gradient;
  for (std::size_t i = 0; i < copies_.size(); ++i)
    if (copies_[i].defined()) copies_[i].copy_(masters_[i]);
}

at::Tensor LowPrecision::of(std::size_t index, const at::Tensor& master) {
  if (index >= copies_.size()) {
    copies_.resize(index + 1);
    masters_.resize(index + 1);
  }
  if (!copies_[index].defined()) {
    masters_[index] = master;
    copies_[index] = master.detach().to(type_);
  }
  return Cast::apply(master, copies_[index]);
}

}  // namespace ablate::models

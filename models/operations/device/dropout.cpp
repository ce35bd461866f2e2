// Dropout on a device.

#include "models/operations/device/dropout.h"

#include <ATen/Functions.h>
#include <torch/csrc/autograd/custom_function.h>

#include "models/kernels/cuda/dropout.h"
#include "models/operations/kernel_memory.h"

namespace ablate::models::device {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

at::Tensor dropped(const at::Tensor& x, const at::Tensor& keys, double fraction,
                   std::int64_t layer) {
  at::Tensor out = at::empty_like(x);
  const std::int64_t units = x.numel() / x.size(0);
  const kernels::DeviceDropout dropout = {x.size(0), units, units / x.size(1),
                                          fraction,  layer, data<std::int64_t>(keys)};
  by_type(x.scalar_type(), [&]<class T>(T) {
    kernels::drop(dropout, data<T>(x), data<T>(out), train::current_stream());
  });
  return out;
}

// The mask is drawn again for the backward pass instead of being kept.
struct Drop : torch::autograd::Function<Drop> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& keys,
                            double fraction, std::int64_t layer) {
    context->save_for_backward({keys});
    context->saved_data["fraction"] = fraction;
    context->saved_data["layer"] = layer;
    return dropped(x, keys, fraction, layer);
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    variable_list all(4);
    all[0] =
        dropped(gradients[0].contiguous(), context->get_saved_variables()[0],
                context->saved_data["fraction"].toDouble(), context->saved_data["layer"].toInt());
    return all;
  }
};

}  // namespace

at::Tensor drop(const at::Tensor& x, const DropoutKey& key) {
  return Drop::apply(x.contiguous(), key.keys, key.dropped, key.layer);
}

}  // namespace ablate::models::device

// Residual addition and norm on a device: all lanes at once.

#include "models/operations/device/norm.h"

#include <ATen/Functions.h>
#include <c10/util/Optional.h>
#include <torch/csrc/autograd/custom_function.h>

#include "models/kernels/cuda/norm.h"
#include "models/operations/kernel_memory.h"

namespace ablate::models::device {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// The means and scales of the rows are `statistics` [2, lane, row].
kernels::DeviceNorm norm_of(const at::Tensor& stream, const at::Tensor& gain,
                            const at::Tensor& statistics, bool centred) {
  float* const means = data<float>(statistics);
  return {stream.size(0),
          stream.size(1) * stream.size(2),
          stream.size(3),
          centred,
          static_cast<float>(kNormEpsilon),
          data<float>(gain),
          gain.stride(0),
          means,
          means + statistics.numel() / 2};
}

struct AddNorm : torch::autograd::Function<AddNorm> {
  // Returns the sum, where there is a delta, and the norm.
  static variable_list forward(AutogradContext* context, const at::Tensor& residual,
                               const c10::optional<at::Tensor>& added, const at::Tensor& gain,
                               bool centred, at::ScalarType type) {
    const at::Tensor delta = added.value_or(at::Tensor());
    const at::Tensor sum = delta.defined() ? at::empty_like(residual) : at::Tensor();
    const at::Tensor normed = at::empty(residual.sizes(), residual.options().dtype(type));
    const at::Tensor statistics =
        at::empty({2, residual.size(0), residual.size(1) * residual.size(2)}, residual.options());
    const at::ScalarType delta_type = delta.defined() ? delta.scalar_type() : type;
    by_norm_types(delta_type, type, [&]<class D, class O>(D, O) {
      kernels::add_norm(norm_of(residual, gain, statistics, centred), data<float>(residual),
                        static_cast<const D*>(data_or_null<D>(delta)), data_or_null<float>(sum),
                        data<O>(normed), train::current_stream());
    });
    context->set_materialize_grads(false);  // the last sum has no gradient
    context->save_for_backward({delta.defined() ? sum : residual, gain, statistics});
    context->saved_data["centred"] = centred;
    context->saved_data["delta"] = static_cast<std::int64_t>(delta_type);
    context->saved_data["adds"] = delta.defined();
    return delta.defined() ? variable_list{sum, normed} : variable_list{normed};
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const variable_list saved = context->get_saved_variables();
    const at::Tensor &sum = saved[0], &gain = saved[1];
    const bool adds = context->saved_data["adds"].toBool();
    const auto delta_type = static_cast<at::ScalarType>(context->saved_data["delta"].toInt());
    const kernels::DeviceNorm norm =
        norm_of(sum, gain, saved[2], context->saved_data["centred"].toBool());
    const at::Tensor of_normed = gradients.back().contiguous();
    const at::Tensor of_sum =
        adds && gradients[0].defined() ? gradients[0].contiguous() : at::Tensor();
    const at::Tensor of_residual = at::empty_like(sum);
    const bool copies = adds && delta_type != at::kFloat;
    const at::Tensor of_delta =
        copies ? at::empty(sum.sizes(), sum.options().dtype(delta_type)) : at::Tensor();
    const at::Tensor parts =
        at::empty({norm.lanes, kernels::kGainParts, norm.width}, sum.options());
    by_norm_types(delta_type, of_normed.scalar_type(), [&]<class D, class O>(D, O) {
      const kernels::DeviceNormGradients<D, O> all = {
          data<O>(of_normed), data_or_null<float>(of_sum), data<float>(of_residual),
          data_or_null<D>(of_delta), data<float>(parts)};
      kernels::add_norm_backward(norm, data<float>(sum), all, train::current_stream());
    });
    variable_list all(5);
    all[0] = of_residual;
    if (adds) all[1] = copies ? of_delta : of_residual;
    all[2] = parts.sum(1);
    return all;
  }
};

}  // namespace

Normed add_norm(const at::Tensor& residual, const at::Tensor& delta, const at::Tensor& gain,
                Norm norm, at::ScalarType type) {
  const at::Tensor stream = residual.contiguous();
  c10::optional<at::Tensor> added;
  if (delta.defined()) added = delta.contiguous();
  const variable_list out = AddNorm::apply(stream, added, gain, norm == Norm::layer, type);
  return {delta.defined() ? out[0] : stream, out.back()};
}

}  // namespace ablate::models::device

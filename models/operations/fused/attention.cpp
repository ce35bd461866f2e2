// Attention with per-position visibility.

#include "models/operations/fused/attention.h"

#include <ATen/Functions.h>
#include <torch/csrc/autograd/custom_function.h>

#include "models/kernels/attention/attention.h"
#include "models/operations/kernel_memory.h"

namespace ablate::models::fused {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

kernels::AttentionShape shape_of(const at::Tensor& qkv, std::int64_t heads) {
  return {qkv.size(0) * qkv.size(1), qkv.size(2), heads, qkv.size(3) / 3 / heads};
}

kernels::AttentionMask mask_of(const AttentionMask& mask) {
  return {data<std::int64_t>(mask.positions), data<std::int64_t>(mask.visible_from),
          data<std::int64_t>(mask.visible_until),
          mask.rotary.defined() ? data<float>(mask.rotary) : nullptr};
}

kernels::AttentionSums sums_of(const at::Tensor& sums) {
  return {data<float>(sums), data<float>(sums) + sums.numel() / 2};
}

struct Attention : torch::autograd::Function<Attention> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& qkv,
                            const AttentionMask& mask) {
    const kernels::AttentionShape shape = shape_of(qkv, mask.heads);
    const at::Tensor out =
        at::empty({qkv.size(0), qkv.size(1), qkv.size(2), qkv.size(3) / 3}, qkv.options());
    const at::Tensor sums =
        at::empty({2, shape.rows, shape.heads, shape.time}, qkv.options().dtype(at::kFloat));
    by_type(qkv.scalar_type(), [&]<class T>(T) {
      kernels::attention(shape, mask_of(mask), data<T>(qkv), data<T>(out), sums_of(sums));
    });
    context->save_for_backward(
        {qkv, out, sums, mask.positions, mask.visible_from, mask.visible_until, mask.rotary});
    context->saved_data["heads"] = mask.heads;
    return out;
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const variable_list saved = context->get_saved_variables();
    const at::Tensor &qkv = saved[0], &out = saved[1], &sums = saved[2];
    const AttentionMask mask = {saved[3], saved[4], saved[5], saved[6],
                                context->saved_data["heads"].toInt()};
    const at::Tensor of_out = gradients[0].contiguous(), of_qkv = at::empty_like(qkv);
    by_type(qkv.scalar_type(), [&]<class T>(T) {
      kernels::attention_backward(shape_of(qkv, mask.heads), mask_of(mask), data<T>(qkv),
                                  data<T>(out), sums_of(sums), data<T>(of_out), data<T>(of_qkv));
    });
    return {of_qkv, at::Tensor()};
  }
};

}  // namespace

at::Tensor attention(const at::Tensor& qkv, const AttentionMask& mask) {
  AttentionMask own = mask;
  for (at::Tensor* each : {&own.positions, &own.visible_from, &own.visible_until})
    *each = each->contiguous();
  require_below(own.visible_from, own.visible_from.size(2) + 1, "visible_from");
  require_below(own.visible_until, own.visible_until.size(2) + 1, "visible_until");
  if (own.rotary.defined()) require_below(own.positions, own.rotary.size(0), "position");
  return Attention::apply(qkv.contiguous(), own);
}

}  // namespace ablate::models::fused

// Attention with per-position visibility.

#include "models/operations/fused/attention.h"

#include <ATen/Functions.h>
#include <torch/csrc/autograd/custom_function.h>

#include <stdexcept>

#include "models/kernels/attention/attention.h"
#include "models/kernels/attention/attention_step.h"
#include "models/operations/attention.h"
#include "models/operations/kernel_memory.h"

namespace ablate::models::fused {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

kernels::AttentionShape shape_of(const at::Tensor& qkv, std::int64_t heads) {
  return {qkv.size(0) * qkv.size(1), qkv.size(2), heads, qkv.size(3) / 3 / heads};
}

kernels::AttentionMask mask_of(const AttentionMask& mask) {
  return {data<std::int64_t>(mask.positions),
          data<std::int64_t>(mask.visible_from),
          data<std::int64_t>(mask.visible_until),
          mask.rotary.defined() ? data<float>(mask.rotary) : nullptr,
          mask.also_from.defined() ? data<std::int64_t>(mask.also_from) : nullptr,
          mask.also_until.defined() ? data<std::int64_t>(mask.also_until) : nullptr,
          mask.slopes.defined() ? data<float>(mask.slopes) : nullptr};
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
    context->save_for_backward({qkv, out, sums, mask.positions, mask.visible_from,
                                mask.visible_until, mask.rotary, mask.also_from, mask.also_until,
                                mask.slopes});
    context->saved_data["heads"] = mask.heads;
    return out;
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const variable_list saved = context->get_saved_variables();
    const at::Tensor &qkv = saved[0], &out = saved[1], &sums = saved[2];
    AttentionMask mask = {saved[3], saved[4], saved[5], saved[6],
                          context->saved_data["heads"].toInt()};
    mask.also_from = saved[7];
    mask.also_until = saved[8];
    mask.slopes = saved[9];
    const at::Tensor of_out = gradients[0].contiguous(), of_qkv = at::empty_like(qkv);
    by_type(qkv.scalar_type(), [&]<class T>(T) {
      kernels::attention_backward(shape_of(qkv, mask.heads), mask_of(mask), data<T>(qkv),
                                  data<T>(out), sums_of(sums), data<T>(of_out), data<T>(of_qkv));
    });
    return {of_qkv, at::Tensor()};
  }
};

/// The mask as the kernels read it, of rows with `time` positions that may be seen.
AttentionMask checked(AttentionMask mask, std::int64_t time) {
  for (at::Tensor* each : {&mask.positions, &mask.visible_from, &mask.visible_until})
    *each = each->contiguous();
  require_below(mask.visible_from, time + 1, "visible_from");
  require_below(mask.visible_until, time + 1, "visible_until");
  if (mask.also_from.defined()) {
    mask.also_from = mask.also_from.contiguous();
    mask.also_until = mask.also_until.contiguous();
    require_below(mask.also_from, time + 1, "also_from");
    require_below(mask.also_until, time + 1, "also_until");
  }
  if (mask.slopes.defined() && mask.slopes.numel() != mask.heads)
    throw std::logic_error("attention: a slope for each head is needed");
  if (mask.rotary.defined()) require_below(mask.positions, mask.rotary.size(0), "position");
  return mask;
}

}  // namespace

at::Tensor attention(const at::Tensor& qkv, const AttentionMask& mask) {
  return Attention::apply(qkv.contiguous(), checked(mask, mask.visible_from.size(2)));
}

at::Tensor attention_step(const at::Tensor& qkv, const AttentionMask& mask,
                          const AttentionStep& step, std::vector<at::Tensor>& kept) {
  constexpr std::int64_t kBlock = kernels::kKeyBlock;
  const std::int64_t lanes = qkv.size(0), batch = qkv.size(1), width = qkv.size(3) / 3;
  const std::int64_t head_width = width / mask.heads;
  kept.resize(mask.slopes.defined() ? 3 : 2);
  kept[0] = with_room(kept[0], {lanes, batch, mask.heads, 0, head_width, kBlock}, kBlock, step.end,
                      qkv.options());
  const std::int64_t room = kept[0].size(3) * kBlock;
  kept[1] = with_room(kept[1], {lanes, batch, mask.heads, 0, head_width}, 1, room, qkv.options());
  if (mask.slopes.defined())
    kept[2] = with_room(kept[2], {lanes, batch, 1, 0}, 1, room, qkv.options().dtype(at::kFloat));
  const AttentionMask own = checked(mask, room);
  const at::Tensor places =
      step.places.unsqueeze(0).expand({lanes, -1, -1}).contiguous();  // of all lanes
  require_below(places, room, "place");
  const at::Tensor from = qkv.contiguous();
  const at::Tensor out = at::empty({lanes, batch, qkv.size(2), width}, qkv.options());
  by_type(qkv.scalar_type(), [&]<class T>(T) {
    kernels::attention_step<T>(shape_of(qkv, mask.heads), mask_of(own), data<std::int64_t>(places),
                               data<T>(from),
                               {data<T>(kept[0]), data<T>(kept[1]), room,
                                own.slopes.defined() ? data<float>(kept[2]) : nullptr},
                               data<T>(out));
  });
  return out;
}

}  // namespace ablate::models::fused

// Losses on a device, and their gradients in the same pass.

#include "models/operations/device/loss.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <c10/core/GradMode.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>

#include "models/kernels/cuda/cross_entropy.h"
#include "models/operations/kernel_memory.h"
#include "models/operations/lane_rows.h"

namespace ablate::models::device {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// Losses [lane], and the gradients of their sum.
struct Scored {
  at::Tensor losses;
  at::Tensor of_states;  // [lane, scored, width], in the type of the products
  at::Tensor of_table;   // float32 [lane, vocabulary, width]
};

// `states` [lane, scored, width] and `table` [lane, vocabulary, width], in the type of the products.
Scored score(const at::Tensor& states, const at::Tensor& table, float scale,
             const BankTargets& targets, std::int64_t part_bytes, bool gradients) {
  const std::int64_t lanes = states.size(0), scored = states.size(1), classes = table.size(1);
  const auto row_bytes = static_cast<std::int64_t>(lanes * classes * states.element_size());
  const std::int64_t part = std::max<std::int64_t>(1, part_bytes / row_bytes);
  const at::Tensor each = at::empty(targets.weights.sizes(), targets.weights.options());
  Scored made;
  if (gradients) {
    made.of_states = at::empty_like(states);
    made.of_table = at::zeros(table.sizes(), table.options().dtype(at::kFloat));
  }
  for (std::int64_t first = 0; first < scored; first += part) {
    const std::int64_t count = std::min(part, scored - first);
    const at::Tensor own = states.narrow(1, first, count);
    const at::Tensor logits = at::bmm(own, table.transpose(1, 2));
    by_type(logits.scalar_type(), [&]<class T>(T) {
      kernels::cross_entropy(
          {lanes, count, classes, scale, scored, data<std::int64_t>(targets.ids) + first,
           data<float>(targets.weights) + first, data<float>(each) + first},
          data<T>(logits), train::current_stream());
    });
    if (!gradients) continue;
    made.of_states.narrow(1, first, count).copy_(at::bmm(logits, table));
    made.of_table.add_(at::bmm(logits.transpose(1, 2), own));
  }
  made.losses = each.sum(-1);
  return made;
}

struct Losses : torch::autograd::Function<Losses> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& hidden,
                            const at::Tensor& master, const OutputHead& head,
                            const BankTargets& targets, std::int64_t part_bytes, bool gradients) {
    const at::Tensor table = master.to(head.products);
    const at::Tensor states = lane_rows(hidden.flatten(1, 2), targets.positions).to(head.products);
    const Scored made =
        score(states, table, static_cast<float>(head.scale), targets, part_bytes, gradients);
    if (gradients) context->save_for_backward({targets.positions, made.of_states, made.of_table});
    context->saved_data["sizes"] = hidden.sizes().vec();
    return made.losses;
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const variable_list saved = context->get_saved_variables();
    const at::Tensor &positions = saved[0], &of_states = saved[1], &of_table = saved[2];
    const at::Tensor factors = gradients[0].view({-1, 1, 1});
    const at::Tensor of_hidden =
        at::zeros(context->saved_data["sizes"].toIntVector(), of_table.options());
    const at::Tensor rows = of_hidden.flatten(1, 2);
    rows.flatten(0, 1).index_add_(0, flat_positions(positions, rows.size(1)),
                                  (of_states * factors).flatten(0, 1));
    variable_list all(6);
    all[0] = of_hidden;
    all[1] = of_table * factors;
    return all;
  }
};

}  // namespace

at::Tensor losses(const at::Tensor& hidden, const OutputHead& head,
                  const std::vector<train::LaneTargets>& targets, std::int64_t part_bytes) {
  const bool gradients =
      at::GradMode::is_enabled() && (hidden.requires_grad() || head.table.requires_grad());
  return Losses::apply(hidden.contiguous(), head.table, head, stacked(targets), part_bytes,
                       gradients);
}

}  // namespace ablate::models::device

#include "models/operations/fused/delta.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <torch/csrc/autograd/custom_function.h>

#include "models/kernels/scan/delta.h"
#include "models/operations/fused/recurrent_rows.h"

namespace ablate::models::fused {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// The rows of all lanes, as the kernels see them: the tensors of GeneralisedDeltaRows, in its order.
struct RowsOfDelta : RecurrentRows {
  explicit RowsOfDelta(variable_list tensors)
      : RecurrentRows(std::move(tensors)),
        shape{all[0].size(2), all[0].size(3), all[0].size(4), all[4].size(4), all[5].size(4)} {}

  kernels::DeltaRow row(std::int64_t index) const {
    return {of_row(0, index),
            of_row(1, index),
            of_row(2, index),
            of_row(3, index),
            of_row(4, index),
            of_row(5, index),
            of_row<std::int64_t>(6, index)};
  }

  kernels::DeltaShape shape;
};

struct Delta : torch::autograd::Function<Delta> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& reads,
                            const at::Tensor& keys, const at::Tensor& removes,
                            const at::Tensor& writes, const at::Tensor& values,
                            const at::Tensor& decays, const at::Tensor& from) {
    const RowsOfDelta given({reads, keys, removes, writes, values, decays, from});
    const at::Tensor outputs = at::empty_like(values), held = at::empty_like(values);
    const std::int64_t size = values.numel() / given.rows;
    for (std::int64_t row = 0; row < given.rows; ++row)
      kernels::delta(given.shape, given.row(row),
                     {data<float>(outputs) + row * size, data<float>(held) + row * size});
    variable_list saved = given.all;
    saved.push_back(held);
    context->save_for_backward(saved);
    return outputs;
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    variable_list saved = context->get_saved_variables();
    const at::Tensor held = saved.back(), of_outputs = gradients[0].contiguous();
    saved.pop_back();
    const RowsOfDelta given(saved);
    variable_list made;
    for (std::size_t i = 0; i < 6; ++i) made.push_back(at::empty_like(saved[i]));
    made.push_back(saved[6]);
    const RowsOfDelta to(made);
    const std::int64_t size = held.numel() / given.rows;
    for (std::int64_t row = 0; row < given.rows; ++row)
      kernels::delta_backward(given.shape, given.row(row),
                              {data<float>(of_outputs) + row * size, data<float>(held) + row * size,
                               to.of_row(0, row), to.of_row(1, row), to.of_row(2, row),
                               to.of_row(3, row), to.of_row(4, row), to.of_row(5, row)});
    made.back() = at::Tensor();
    return made;
  }
};

at::Tensor applied(const GeneralisedDeltaRows& rows, const at::Tensor& from) {
  return Delta::apply(rows.reads.contiguous(), rows.keys.contiguous(), rows.removes.contiguous(),
                      rows.writes.contiguous(), rows.values.contiguous(), rows.decays.contiguous(),
                      from);
}

}  // namespace

at::Tensor delta_rule(const DeltaRows& rows) {
  const at::Tensor from = rows.from.contiguous();
  if (!kernels_read(rows.values.scalar_type(), from)) {
    at::Tensor none;
    return delta_rule_scan(rows, none);
  }
  // What a key holds decays before it is taken out.
  const at::Tensor decays = rows.decays.unsqueeze(-1),
                   writes = rows.keys * rows.rates.unsqueeze(-1);
  return applied(
      {rows.reads, rows.keys, writes * decays.exp(), writes, rows.values, decays, rows.from}, from);
}

at::Tensor generalised_delta(const GeneralisedDeltaRows& rows) {
  const at::Tensor from = rows.from.contiguous();
  if (!kernels_read(rows.values.scalar_type(), from)) {
    at::Tensor none;
    return generalised_delta_scan(rows, none);
  }
  return applied(rows, from);
}

}  // namespace ablate::models::fused

// Residual addition and norm.

#include "models/operations/fused/norm.h"

#include <ATen/Functions.h>
#include <torch/csrc/autograd/custom_function.h>

#include "models/kernels/rows/norm.h"
#include "models/operations/kernel_memory.h"

namespace ablate::models::fused {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// One call of the kernel: its shape, and what the backward pass needs.
struct Call {
  Call(const at::Tensor& stream, const at::Tensor& gains, bool centred)
      : lanes(stream.size(0)),
        shape{stream.size(1) * stream.size(2), stream.size(3), centred,
              static_cast<float>(kNormEpsilon)},
        gain(gains) {}

  template <class T>
  T* lane_of(const at::Tensor& tensor, std::int64_t lane) const {
    return tensor.defined() ? data<T>(tensor) + lane * shape.rows * shape.width : nullptr;
  }
  float* gain_of(const at::Tensor& of, std::int64_t lane) const {
    return data<float>(of) + lane * of.stride(0);
  }
  kernels::NormRows rows_of(std::int64_t lane) const {
    float* means = data<float>(rows) + lane * 2 * shape.rows;
    return {means, means + shape.rows};
  }

  std::int64_t lanes;
  kernels::NormShape shape;
  at::Tensor gain;  // [lane, width], contiguous in each lane
  at::Tensor rows;  // [lane, 2, rows]: means and scales
};

// Calls `run(D{}, O{}, lane)` for each lane, with the kernels' types of the delta and the norm.
template <class Run>
void each_lane(std::int64_t lanes, at::ScalarType delta, at::ScalarType normed, const Run& run) {
  by_norm_types(delta, normed, [&]<class D, class O>(D, O) {
    for (std::int64_t lane = 0; lane < lanes; ++lane) run(D{}, O{}, lane);
  });
}

// Returns the norm, and writes `sum`, which is undefined if `delta` is.
at::Tensor run_forward(Call& call, const at::Tensor& residual, const at::Tensor& delta,
                       const at::Tensor& sum, at::ScalarType type) {
  const at::Tensor normed = at::empty(residual.sizes(), residual.options().dtype(type));
  call.rows = at::empty({call.lanes, 2, call.shape.rows}, residual.options());
  const at::ScalarType delta_type = delta.defined() ? delta.scalar_type() : type;
  each_lane(call.lanes, delta_type, type, [&]<class D, class O>(D, O, std::int64_t lane) {
    kernels::add_norm<D, O>(call.shape, call.lane_of<float>(residual, lane),
                            call.lane_of<D>(delta, lane), call.gain_of(call.gain, lane),
                            call.lane_of<float>(sum, lane), call.lane_of<O>(normed, lane),
                            call.rows_of(lane));
  });
  return normed;
}

struct Gradients {
  at::Tensor residual, delta, gain;
};

// `of_sum` is undefined if no later layer reads the sum. The gradient of the delta is that of the
// residual, in type `delta`.
Gradients run_backward(const Call& call, const at::Tensor& sum, const at::Tensor& of_normed,
                       const at::Tensor& of_sum, at::ScalarType delta) {
  Gradients made = {at::empty_like(sum), {}, at::zeros_like(call.gain)};
  const bool copies = delta != at::kFloat;
  if (copies) made.delta = at::empty(sum.sizes(), sum.options().dtype(delta));
  each_lane(call.lanes, delta, of_normed.scalar_type(),
            [&]<class D, class O>(D, O, std::int64_t lane) {
              kernels::add_norm_backward<D, O>(
                  call.shape, call.lane_of<float>(sum, lane), call.gain_of(call.gain, lane),
                  call.rows_of(lane),
                  {call.lane_of<O>(of_normed, lane), call.lane_of<float>(of_sum, lane),
                   call.lane_of<float>(made.residual, lane), call.lane_of<D>(made.delta, lane),
                   call.gain_of(made.gain, lane)});
            });
  if (!copies) made.delta = made.residual;
  return made;
}

struct AddNorm : torch::autograd::Function<AddNorm> {
  static variable_list forward(AutogradContext* context, const at::Tensor& residual,
                               const at::Tensor& delta, const at::Tensor& gain, bool centred,
                               at::ScalarType type) {
    Call call(residual, gain, centred);
    const at::Tensor sum = at::empty_like(residual);
    const at::Tensor normed = run_forward(call, residual, delta.contiguous(), sum, type);
    context->set_materialize_grads(false);  // the last sum has no gradient
    context->save_for_backward({sum, gain, call.rows});
    context->saved_data["centred"] = centred;
    context->saved_data["delta"] = static_cast<std::int64_t>(delta.scalar_type());
    return {sum, normed};
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const variable_list saved = context->get_saved_variables();
    Call call(saved[0], saved[1], context->saved_data["centred"].toBool());
    call.rows = saved[2];
    const at::Tensor of_sum = gradients[0].defined() ? gradients[0].contiguous() : gradients[0];
    const Gradients made =
        run_backward(call, saved[0], gradients[1].contiguous(), of_sum,
                     static_cast<at::ScalarType>(context->saved_data["delta"].toInt()));
    return {made.residual, made.delta, made.gain, at::Tensor(), at::Tensor()};
  }
};

struct NormAlone : torch::autograd::Function<NormAlone> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& residual,
                            const at::Tensor& gain, bool centred, at::ScalarType type) {
    Call call(residual, gain, centred);
    const at::Tensor normed = run_forward(call, residual, {}, {}, type);
    context->save_for_backward({residual, gain, call.rows});
    context->saved_data["centred"] = centred;
    return normed;
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const variable_list saved = context->get_saved_variables();
    Call call(saved[0], saved[1], context->saved_data["centred"].toBool());
    call.rows = saved[2];
    const Gradients made =
        run_backward(call, saved[0], gradients[0].contiguous(), {}, gradients[0].scalar_type());
    return {made.residual, made.gain, at::Tensor(), at::Tensor()};
  }
};

}  // namespace

Normed add_norm(const at::Tensor& residual, const at::Tensor& delta, const at::Tensor& gain,
                Norm norm, at::ScalarType type) {
  const at::Tensor stream = residual.contiguous();
  const bool centred = norm == Norm::layer;
  if (!delta.defined()) return {stream, NormAlone::apply(stream, gain, centred, type)};
  const variable_list out = AddNorm::apply(stream, delta, gain, centred, type);
  return {out[0], out[1]};
}

}  // namespace ablate::models::fused

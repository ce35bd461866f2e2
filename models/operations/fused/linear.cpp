// Linear layers, with and without an activation.

#include "models/operations/fused/linear.h"

#include <ATen/Functions.h>
#include <torch/csrc/autograd/custom_function.h>

#include "models/kernels/rows/activation.h"
#include "models/operations/kernel_memory.h"
#include "models/operations/lane_products.h"

namespace ablate::models::fused {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

at::Tensor with_rows(const at::Tensor& x) { return x.contiguous().flatten(1, 2); }

at::Tensor like(const at::Tensor& rows, const at::Tensor& x) {
  return rows.view({x.size(0), x.size(1), x.size(2), rows.size(2)});
}

// Gradients of x and of the float32 master of `weight`, which is in the type of x.
variable_list product_gradients(const at::Tensor& x, const at::Tensor& weight,
                                const at::Tensor& gradient) {
  return {like(times(gradient, weight), x), transposed_times(gradient, with_rows(x))};
}

struct Linear : torch::autograd::Function<Linear> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x,
                            const at::Tensor& master) {
    const at::Tensor weight = master.to(x.scalar_type());
    context->save_for_backward({x, weight});
    return like(times_transposed(with_rows(x), weight), x);
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const variable_list saved = context->get_saved_variables();
    return product_gradients(saved[0], saved[1], with_rows(gradients[0]));
  }
};

ActivatedProduct swiglu_of_product(const at::Tensor& x, const at::Tensor& weight) {
  const at::Tensor derivatives = times_transposed(x, weight);  // the kernel replaces the product
  const std::int64_t rows = derivatives.size(0) * derivatives.size(1),
                     width = derivatives.size(2) / 2;
  const at::Tensor values =
      at::empty({derivatives.size(0), derivatives.size(1), width}, derivatives.options());
  by_type(x.scalar_type(),
          [&]<class T>(T) { kernels::swiglu(data<T>(derivatives), data<T>(values), rows, width); });
  return {values, derivatives};
}

struct Activated : torch::autograd::Function<Activated> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& master,
                            bool swiglu) {
    const at::Tensor weight = master.to(x.scalar_type());
    const ActivatedProduct made =
        swiglu ? swiglu_of_product(with_rows(x), weight) : gelu_of_product(with_rows(x), weight);
    context->save_for_backward({x, weight, made.derivatives});
    return like(made.values, x);
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const variable_list saved = context->get_saved_variables();
    const at::Tensor& derivatives = saved[2];
    const at::Tensor gradient = with_rows(gradients[0]);
    const std::int64_t rows = gradient.size(0) * gradient.size(1), width = gradient.size(2);
    const at::Tensor before = at::empty_like(derivatives);
    by_type(before.scalar_type(), [&]<class T>(T) {
      if (derivatives.size(2) != width)
        kernels::swiglu_backward(data<T>(derivatives), data<T>(gradient), data<T>(before), rows,
                                 width);
      else
        kernels::gelu_backward(data<T>(derivatives), data<T>(gradient), data<T>(before),
                               rows * width);
    });
    variable_list out = product_gradients(saved[0], saved[1], before);
    out.emplace_back();  // `swiglu` has no gradient
    return out;
  }
};

}  // namespace

at::Tensor linear(const at::Tensor& x, const at::Tensor& weight) {
  return Linear::apply(x, weight);
}

at::Tensor activated(const at::Tensor& x, const at::Tensor& weight, Activation kind) {
  return Activated::apply(x, weight, kind == Activation::swiglu);
}

}  // namespace ablate::models::fused

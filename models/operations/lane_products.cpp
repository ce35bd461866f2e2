// Uses our own kernels where they apply, and LibTorch's products elsewhere. All tensors are
// contiguous in each lane.

#include "models/operations/lane_products.h"

#include <ATen/Functions.h>

#include "models/kernels/product/product.h"
#include "models/kernels/product/product_bfloat16.h"
#include "models/kernels/rows/activation.h"
#include "models/operations/kernel_memory.h"

namespace ablate::models {
namespace {

using kernels::BFloat16;

// Our own kernel for float32 or bfloat16, or LibTorch's product.
enum class Kernel { float32, bfloat16, library };

// The kernel for products of `terms` terms. That for bfloat16 needs an even number.
Kernel kernel_of(const at::Tensor& x, std::int64_t terms) {
  if (x.scalar_type() == at::kFloat) return Kernel::float32;
  const bool own =
      x.scalar_type() == at::kBFloat16 && terms % 2 == 0 && kernels::has_bfloat16_products();
  return own ? Kernel::bfloat16 : Kernel::library;
}

// The memory of one lane's matrix. A tensor view would cost a microsecond.
template <class T>
T* matrix(const at::Tensor& x, std::int64_t lane) {
  return static_cast<T*>(x.data_ptr()) + lane * x.stride(0);
}
constexpr auto float_matrix = matrix<float>;
constexpr auto bfloat16_matrix = matrix<BFloat16>;

/// Whether a product of so few rows is made the other way round, (weight * x^T)^T, so that the weights are
/// read as they lie. Each number of the result is the same sum in the same order.
bool has_few_rows(std::int64_t rows, std::int64_t in, std::int64_t out) {
  return 2 * rows * (in + out) < in * out;
}

/// As times_transposed() for one lane of few rows, in float32.
void few_rows_times_transposed(const float* x, const float* weight, float* to, std::int64_t rows,
                               std::int64_t in, std::int64_t out) {
  const at::Tensor memory = at::empty({rows * (in + out)}, at::kFloat);
  float* const across = data<float>(memory);
  float* const result = across + rows * in;
  kernels::transpose(x, across, rows, in);
  kernels::product({out, rows, in}, {weight, in, 1}, {across, rows}, {result, rows});
  kernels::transpose(result, to, out, rows);
}

}  // namespace

at::Tensor times_transposed(const at::Tensor& x, const at::Tensor& weight) {
  const std::int64_t rows = x.size(1), in = x.size(2), out = weight.size(1);
  const Kernel kernel = kernel_of(x, in);
  const at::Tensor to = at::empty({x.size(0), rows, out}, x.options());
  const bool few = kernel == Kernel::float32 && has_few_rows(rows, in, out);
  const at::Tensor across =
      kernel == Kernel::float32 && !few ? at::empty({1, in, out}, x.options()) : at::Tensor();
  for (std::int64_t lane = 0; lane < x.size(0); ++lane) {
    if (kernel == Kernel::bfloat16) {
      kernels::times_transposed(bfloat16_matrix(x, lane), bfloat16_matrix(weight, lane),
                                bfloat16_matrix(to, lane), rows, out, in);
    } else if (few) {
      few_rows_times_transposed(float_matrix(x, lane), float_matrix(weight, lane),
                                float_matrix(to, lane), rows, in, out);
    } else if (kernel == Kernel::float32) {
      kernels::transpose(float_matrix(weight, lane), float_matrix(across, 0), out, in);
      kernels::product({rows, out, in}, {float_matrix(x, lane), in, 1},
                       {float_matrix(across, 0), out}, {float_matrix(to, lane), out});
    } else {
      at::Tensor own = to.select(0, lane);
      at::mm_out(own, x.select(0, lane), weight.select(0, lane).t());
    }
  }
  return to;
}

ActivatedProduct gelu_of_product(const at::Tensor& x, const at::Tensor& weight) {
  const std::int64_t rows = x.size(1), in = x.size(2), out = weight.size(1);
  const at::Tensor values = at::empty({x.size(0), rows, out}, x.options());
  if (kernel_of(x, in) == Kernel::bfloat16) {
    const at::Tensor derivatives = at::empty_like(values);
    for (std::int64_t lane = 0; lane < x.size(0); ++lane)
      kernels::times_transposed_gelu(bfloat16_matrix(x, lane), bfloat16_matrix(weight, lane),
                                     bfloat16_matrix(values, lane),
                                     bfloat16_matrix(derivatives, lane), rows, out, in);
    return {values, derivatives};
  }
  const at::Tensor derivatives = times_transposed(x, weight);  // the kernel replaces the product
  if (x.scalar_type() == at::kFloat)
    kernels::gelu(float_matrix(derivatives, 0), float_matrix(values, 0), values.numel());
  else
    kernels::gelu(bfloat16_matrix(derivatives, 0), bfloat16_matrix(values, 0), values.numel());
  return {values, derivatives};
}

at::Tensor times(const at::Tensor& x, const at::Tensor& weight) {
  const std::int64_t rows = x.size(1), out = x.size(2), in = weight.size(2);
  const Kernel kernel = kernel_of(x, out);
  const at::Tensor to = at::empty({x.size(0), rows, in}, x.options());
  for (std::int64_t lane = 0; lane < x.size(0); ++lane) {
    if (kernel == Kernel::bfloat16) {
      kernels::times(bfloat16_matrix(x, lane), bfloat16_matrix(weight, lane),
                     bfloat16_matrix(to, lane), rows, out, in);
    } else if (kernel == Kernel::float32) {
      kernels::product({rows, in, out}, {float_matrix(x, lane), out, 1},
                       {float_matrix(weight, lane), in}, {float_matrix(to, lane), in});
    } else {
      at::Tensor own = to.select(0, lane);
      at::mm_out(own, x.select(0, lane), weight.select(0, lane));
    }
  }
  return to;
}

at::Tensor transposed_times(const at::Tensor& left, const at::Tensor& right) {
  const std::int64_t rows = left.size(1), out = left.size(2), in = right.size(2);
  const Kernel kernel = kernel_of(left, 2);
  const at::Tensor to = at::empty({left.size(0), out, in}, left.options().dtype(at::kFloat));
  for (std::int64_t lane = 0; lane < left.size(0); ++lane) {
    if (kernel == Kernel::bfloat16)
      kernels::transposed_times(bfloat16_matrix(left, lane), bfloat16_matrix(right, lane),
                                float_matrix(to, lane), rows, out, in);
    else if (kernel == Kernel::float32)
      kernels::product({out, in, rows}, {float_matrix(left, lane), 1, out},
                       {float_matrix(right, lane), in}, {float_matrix(to, lane), in});
    else
      to.select(0, lane).copy_(at::mm(left.select(0, lane).t(), right.select(0, lane)));
  }
  return to;
}

}  // namespace ablate::models

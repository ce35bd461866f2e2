// Own products where they serve, the library's elsewhere and for bfloat16. All tensors are
// contiguous.

#include "models/lane_products.h"

#include <ATen/Functions.h>

#include "models/kernels/product.h"

namespace ablate {
namespace {

bool own_product(const at::Tensor& x) { return x.scalar_type() == at::kFloat; }

}  // namespace

at::Tensor times_transposed(const at::Tensor& x, const at::Tensor& weight) {
  const std::int64_t rows = x.size(1), in = x.size(2), out = weight.size(1);
  const at::Tensor result = at::empty({x.size(0), rows, out}, x.options());
  const at::Tensor across = own_product(x) ? at::empty({in, out}, x.options()) : at::Tensor();
  for (std::int64_t lane = 0; lane < x.size(0); ++lane) {
    at::Tensor to = result.select(0, lane);
    const at::Tensor from = x.select(0, lane), own = weight.select(0, lane);
    if (!across.defined()) {
      at::mm_out(to, from, own.t());
      continue;
    }
    kernels::transpose(own.data_ptr<float>(), across.data_ptr<float>(), out, in);
    kernels::product({rows, out, in}, {from.data_ptr<float>(), in, 1},
                     {across.data_ptr<float>(), out}, {to.data_ptr<float>(), out});
  }
  return result;
}

at::Tensor times(const at::Tensor& x, const at::Tensor& weight) {
  const std::int64_t rows = x.size(1), out = x.size(2), in = weight.size(2);
  const at::Tensor result = at::empty({x.size(0), rows, in}, x.options());
  for (std::int64_t lane = 0; lane < x.size(0); ++lane) {
    at::Tensor to = result.select(0, lane);
    const at::Tensor from = x.select(0, lane), own = weight.select(0, lane);
    if (own_product(x))
      kernels::product({rows, in, out}, {from.data_ptr<float>(), out, 1},
                       {own.data_ptr<float>(), in}, {to.data_ptr<float>(), in});
    else
      at::mm_out(to, from, own);
  }
  return result;
}

at::Tensor transposed_times(const at::Tensor& left, const at::Tensor& right) {
  const std::int64_t rows = left.size(1), out = left.size(2), in = right.size(2);
  const at::Tensor result = at::empty({left.size(0), out, in}, left.options());
  for (std::int64_t lane = 0; lane < left.size(0); ++lane) {
    at::Tensor to = result.select(0, lane);
    const at::Tensor from = left.select(0, lane), other = right.select(0, lane);
    if (own_product(left))
      kernels::product({out, in, rows}, {from.data_ptr<float>(), 1, out},
                       {other.data_ptr<float>(), in}, {to.data_ptr<float>(), in});
    else
      at::mm_out(to, from.t(), other);
  }
  return result;
}

}  // namespace ablate

// Own products where they serve, the library's elsewhere. All tensors are contiguous.

#include "models/operations/lane_products.h"

#include <ATen/Functions.h>

#include "models/kernels/product/product.h"
#include "models/kernels/product/product_bfloat16.h"
#include "models/kernels/rows/activation.h"

namespace ablate::models {
namespace {

using kernels::BFloat16;

// Float32 and bfloat16 of our own; or the library's.
enum class Kind { single, half, library };

// Pairs of bfloat16 need an even number of terms.
Kind kind_of(const at::Tensor& x, std::int64_t terms) {
  if (x.scalar_type() == at::kFloat) return Kind::single;
  const bool own =
      x.scalar_type() == at::kBFloat16 && terms % 2 == 0 && kernels::has_bfloat16_products();
  return own ? Kind::half : Kind::library;
}

// The matrix of one lane. A view of it would cost a microsecond.
template <class T>
T* matrix(const at::Tensor& x, std::int64_t lane) {
  return static_cast<T*>(x.data_ptr()) + lane * x.size(1) * x.size(2);
}
constexpr auto singles = matrix<float>;
constexpr auto halves = matrix<BFloat16>;

}  // namespace

at::Tensor times_transposed(const at::Tensor& x, const at::Tensor& weight) {
  const std::int64_t rows = x.size(1), in = x.size(2), out = weight.size(1);
  const Kind kind = kind_of(x, in);
  const at::Tensor to = at::empty({x.size(0), rows, out}, x.options());
  const at::Tensor across =
      kind == Kind::single ? at::empty({1, in, out}, x.options()) : at::Tensor();
  for (std::int64_t lane = 0; lane < x.size(0); ++lane) {
    if (kind == Kind::half) {
      kernels::times_transposed(halves(x, lane), halves(weight, lane), halves(to, lane), rows, out,
                                in);
    } else if (kind == Kind::single) {
      kernels::transpose(singles(weight, lane), singles(across, 0), out, in);
      kernels::product({rows, out, in}, {singles(x, lane), in, 1}, {singles(across, 0), out},
                       {singles(to, lane), out});
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
  if (kind_of(x, in) == Kind::half) {
    const at::Tensor derivatives = at::empty_like(values);
    for (std::int64_t lane = 0; lane < x.size(0); ++lane)
      kernels::times_transposed_gelu(halves(x, lane), halves(weight, lane), halves(values, lane),
                                     halves(derivatives, lane), rows, out, in);
    return {values, derivatives};
  }
  const at::Tensor derivatives = times_transposed(x, weight);  // first what comes in
  if (x.scalar_type() == at::kFloat)
    kernels::gelu(singles(derivatives, 0), singles(values, 0), values.numel());
  else
    kernels::gelu(halves(derivatives, 0), halves(values, 0), values.numel());
  return {values, derivatives};
}

at::Tensor times(const at::Tensor& x, const at::Tensor& weight) {
  const std::int64_t rows = x.size(1), out = x.size(2), in = weight.size(2);
  const Kind kind = kind_of(x, out);
  const at::Tensor to = at::empty({x.size(0), rows, in}, x.options());
  for (std::int64_t lane = 0; lane < x.size(0); ++lane) {
    if (kind == Kind::half) {
      kernels::times(halves(x, lane), halves(weight, lane), halves(to, lane), rows, out, in);
    } else if (kind == Kind::single) {
      kernels::product({rows, in, out}, {singles(x, lane), out, 1}, {singles(weight, lane), in},
                       {singles(to, lane), in});
    } else {
      at::Tensor own = to.select(0, lane);
      at::mm_out(own, x.select(0, lane), weight.select(0, lane));
    }
  }
  return to;
}

at::Tensor transposed_times(const at::Tensor& left, const at::Tensor& right) {
  const std::int64_t rows = left.size(1), out = left.size(2), in = right.size(2);
  const Kind kind = kind_of(left, 2);
  const at::Tensor to = at::empty({left.size(0), out, in}, left.options().dtype(at::kFloat));
  for (std::int64_t lane = 0; lane < left.size(0); ++lane) {
    if (kind == Kind::half)
      kernels::transposed_times(halves(left, lane), halves(right, lane), singles(to, lane), rows,
                                out, in);
    else if (kind == Kind::single)
      kernels::product({out, in, rows}, {singles(left, lane), 1, out}, {singles(right, lane), in},
                       {singles(to, lane), in});
    else
      to.select(0, lane).copy_(at::mm(left.select(0, lane).t(), right.select(0, lane)));
  }
  return to;
}

}  // namespace ablate::models

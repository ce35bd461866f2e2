// Own products where they serve, the library's elsewhere. All tensors are contiguous.

#include "models/lane_products.h"

#include <ATen/Functions.h>

#include "models/kernels/product.h"
#include "models/kernels/product_bfloat16.h"

namespace ablate {
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

const float* singles(const at::Tensor& x) { return x.data_ptr<float>(); }
BFloat16* halves(const at::Tensor& x) { return static_cast<BFloat16*>(x.data_ptr()); }

}  // namespace

at::Tensor times_transposed(const at::Tensor& x, const at::Tensor& weight) {
  const std::int64_t rows = x.size(1), in = x.size(2), out = weight.size(1);
  const Kind kind = kind_of(x, in);
  const at::Tensor result = at::empty({x.size(0), rows, out}, x.options());
  const at::Tensor across = kind == Kind::single ? at::empty({in, out}, x.options()) : at::Tensor();
  for (std::int64_t lane = 0; lane < x.size(0); ++lane) {
    at::Tensor to = result.select(0, lane);
    const at::Tensor from = x.select(0, lane), own = weight.select(0, lane);
    if (kind == Kind::half) {
      kernels::times_transposed(halves(from), halves(own), halves(to), rows, out, in);
    } else if (kind == Kind::single) {
      kernels::transpose(singles(own), across.data_ptr<float>(), out, in);
      kernels::product({rows, out, in}, {singles(from), in, 1}, {singles(across), out},
                       {to.data_ptr<float>(), out});
    } else {
      at::mm_out(to, from, own.t());
    }
  }
  return result;
}

at::Tensor times(const at::Tensor& x, const at::Tensor& weight) {
  const std::int64_t rows = x.size(1), out = x.size(2), in = weight.size(2);
  const Kind kind = kind_of(x, out);
  const at::Tensor result = at::empty({x.size(0), rows, in}, x.options());
  for (std::int64_t lane = 0; lane < x.size(0); ++lane) {
    at::Tensor to = result.select(0, lane);
    const at::Tensor from = x.select(0, lane), own = weight.select(0, lane);
    if (kind == Kind::half)
      kernels::times(halves(from), halves(own), halves(to), rows, out, in);
    else if (kind == Kind::single)
      kernels::product({rows, in, out}, {singles(from), out, 1}, {singles(own), in},
                       {to.data_ptr<float>(), in});
    else
      at::mm_out(to, from, own);
  }
  return result;
}

at::Tensor transposed_times(const at::Tensor& left, const at::Tensor& right) {
  const std::int64_t rows = left.size(1), out = left.size(2), in = right.size(2);
  const Kind kind = kind_of(left, 2);
  const at::Tensor result = at::empty({left.size(0), out, in}, left.options().dtype(at::kFloat));
  for (std::int64_t lane = 0; lane < left.size(0); ++lane) {
    at::Tensor to = result.select(0, lane);
    const at::Tensor from = left.select(0, lane), other = right.select(0, lane);
    if (kind == Kind::half)
      kernels::transposed_times(halves(from), halves(other), to.data_ptr<float>(), rows, out, in);
    else if (kind == Kind::single)
      kernels::product({out, in, rows}, {singles(from), 1, out}, {singles(other), in},
                       {to.data_ptr<float>(), in});
    else
      to.copy_(at::mm(from.t(), other));
  }
  return result;
}

}  // namespace ablate

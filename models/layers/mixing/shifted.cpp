#include "models/layers/mixing/shifted.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>

#include "models/operations/scan/kept_where.h"

namespace ablate::models {

at::Tensor shifted(const at::Tensor& x, const at::Tensor& from, const at::Tensor& before) {
  const std::int64_t time = x.size(2);
  const at::Tensor earlier = before.defined() ? before : at::zeros_like(x.narrow(2, 0, 1));
  const at::Tensor i = at::arange(time, from.options());
  return kept_where(at::cat({earlier, x.narrow(2, 0, time - 1)}, 2), (from < i).unsqueeze(-1));
}

}  // namespace ablate::models

#include "models/operations/scan/unit_triangular.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>

namespace ablate::models {

at::Tensor unit_triangular_solved(const at::Tensor& matrices, const at::Tensor& right) {
  if (!matrices.is_cpu()) return at::matmul(unit_triangular_inverse(matrices), right);
  return at::linalg_solve_triangular(matrices, right, /*upper=*/false, /*left=*/true,
                                     /*unitriangular=*/true);
}

at::Tensor unit_triangular_inverse(const at::Tensor& lower) {
  const std::int64_t n = lower.size(-1);
  std::int64_t size = 1;
  while (size < n) size *= 2;
  const at::Tensor all = at::constant_pad_nd(lower, {0, size - n, 0, size - n});
  at::Tensor inverses = at::ones_like(all.narrow(-1, 0, 1)).unsqueeze(-1);  // [..., blocks, 1, 1]
  for (std::int64_t half = 1; half < size; half *= 2) {
    const std::int64_t blocks = size / (2 * half);
    const at::Tensor below = all.unflatten(-1, {blocks, 2, half})
                                 .unflatten(-4, {blocks, 2, half})
                                 .select(-5, 1)  // lower half of the rows
                                 .select(-2, 0)  // left half of the columns
                                 .diagonal(0, -4, -2)
                                 .movedim(-1, -3);  // [..., blocks, half, half]
    const at::Tensor pairs = inverses.unflatten(-3, {blocks, 2});
    const at::Tensor above = pairs.select(-3, 0), behind = pairs.select(-3, 1);
    const at::Tensor left = at::matmul(at::matmul(behind, below), above).neg();
    inverses =
        at::cat({at::cat({above, at::zeros_like(above)}, -1), at::cat({left, behind}, -1)}, -2);
  }
  return inverses.squeeze(-3).narrow(-2, 0, n).narrow(-1, 0, n);
}

}  // namespace ablate::models

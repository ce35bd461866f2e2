// Triangular systems with a unit diagonal.

#pragma once

#include <ATen/core/Tensor.h>

namespace ablate::models {

/// x of (1 + what is below the diagonal of `matrices`) x = right; [..., n, n] and [..., n, columns]. Nothing
/// else of `matrices` is read. Differentiable. The processor has a solver; a device multiplies by
/// unit_triangular_inverse(), at twice the time, since its solver cannot be recorded in a graph.
at::Tensor unit_triangular_solved(const at::Tensor& matrices, const at::Tensor& right);

/// The inverses of matrices [..., n, n] of which what is below the diagonal is read and the diagonal counts
/// as 1: [..., n, n]. From blocks of 1 to blocks of twice the size, by products alone, which a device can
/// record in a graph and repeat bit for bit.
at::Tensor unit_triangular_inverse(const at::Tensor& lower);

}  // namespace ablate::models

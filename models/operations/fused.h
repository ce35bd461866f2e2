// What the fused operations share: one custom autograd function each, over kernels on plain memory.

#pragma once

#include <ATen/core/Tensor.h>

#include "models/kernels/simd/simd.h"
#include "models/operations/operations.h"

namespace ablate::models::fused {

at::Tensor embed(const at::Tensor& table, const at::Tensor& ids);
at::Tensor linear(const at::Tensor& x, const at::Tensor& weight);
at::Tensor activated(const at::Tensor& x, const at::Tensor& weight, Activation kind);
Normed add_norm(const at::Tensor& residual, const at::Tensor& delta, const at::Tensor& gain,
                Norm norm, at::ScalarType type);
at::Tensor attention(const at::Tensor& qkv, const AttentionMask& sight);
at::Tensor losses(const at::Tensor& hidden, const OutputHead& head,
                  const std::vector<train::LaneTargets>& targets);

/// The memory of a contiguous tensor, in the kernels' types.
template <class T>
T* data(const at::Tensor& tensor) {
  return static_cast<T*>(tensor.data_ptr());
}

/// `call(T{})` for the kernels' type T of `type`.
template <class Call>
void by_type(at::ScalarType type, const Call& call) {
  if (type == at::kFloat) return call(float{});
  if (type == at::kBFloat16) return call(kernels::BFloat16{});
  reject("kernels: activations of ", type,
         "; fused kernels take float32 and bfloat16; choose the plain operations");
}

/// Throws std::logic_error where an index lies outside [0, bound): it would read another's memory.
void require_below(const at::Tensor& indices, std::int64_t bound, const char* what);

}  // namespace ablate::models::fused

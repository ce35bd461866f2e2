// Passes tensors to the kernels as pointers to the kernels' element types.

#pragma once

#include <ATen/core/Tensor.h>

#include <stdexcept>
#include <type_traits>

#include "harness/base/error.h"
#include "models/kernels/simd/simd.h"

namespace ablate::models {

/// The memory of a tensor that is contiguous, or contiguous in each lane. Requires: T is the
/// kernels' type for the tensor's type.
template <class T>
T* data(const at::Tensor& tensor) {
  return static_cast<T*>(tensor.data_ptr());
}

/// The same, or null where there is no tensor.
template <class T>
T* data_or_null(const at::Tensor& tensor) {
  return tensor.defined() ? data<T>(tensor) : nullptr;
}

/// Calls `call(T{})` with the kernels' type T for `type`. Throws std::invalid_argument if they have
/// none.
template <class Call>
void by_type(at::ScalarType type, const Call& call) {
  if (type == at::kFloat) return call(float{});
  if (type == at::kBFloat16) return call(kernels::BFloat16{});
  reject(
      "kernels: activations of {}; fused kernels take float32 and bfloat16; choose the plain "
      "operations",
      c10::toString(type));
}

/// Calls `call(D{}, O{})` with the kernels' types of what a norm adds and of what it makes. Throws as
/// by_type(), and std::logic_error for a bfloat16 norm of a float32 delta, which no kernel makes.
template <class Call>
void by_norm_types(at::ScalarType delta, at::ScalarType normed, const Call& call) {
  by_type(delta, [&]<class D>(D) {
    by_type(normed, [&]<class O>(O) {
      if constexpr (std::is_same_v<D, kernels::BFloat16> || std::is_same_v<O, float>)
        call(D{}, O{});
      else
        throw std::logic_error("kernels: a bfloat16 norm of a float32 delta is not compiled");
    });
  });
}

/// Throws std::logic_error if an index (int64, contiguous) is outside [0, bound), because it would
/// read beyond a tensor. `what` names the index in the message.
void require_below(const at::Tensor& indices, std::int64_t bound, const char* what);

}  // namespace ablate::models

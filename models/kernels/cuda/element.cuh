// The element types of our own device kernels. They compute in float32, and read and write float32
// or bfloat16.

#pragma once

#include <cstdint>
#include <cstring>

#include "models/kernels/simd/simd.h"

namespace ablate::models::kernels {

__device__ inline float value_of(float x) { return x; }

__device__ inline float value_of(BFloat16 x) {
  const std::uint32_t bits = static_cast<std::uint32_t>(x) << 16;
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

__device__ inline void store(float& to, float value) { to = value; }

// Rounds to nearest, ties to even; NaN stays NaN.
__device__ inline void store(BFloat16& to, float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  const std::uint32_t rounded = (bits + 0x7FFFu + (bits >> 16 & 1u)) >> 16;
  to = static_cast<BFloat16>(value != value ? bits >> 16 | 0x40u : rounded);
}

}  // namespace ablate::models::kernels

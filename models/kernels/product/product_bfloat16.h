// Products of small bfloat16 matrices with float32 sums, using AVX512-BF16.

#pragma once

#include <cstdint>

#include "models/kernels/simd/simd.h"

namespace ablate::models::kernels {

/// Whether these products are used: the instruction set in use has AVX512-BF16, and the processor
/// has no AMX, which LibTorch's faster products use.
bool has_bfloat16_products();

/// to [rows, out] = x [rows, in] times weight [out, in] transposed. Requires: `in` even.
void times_transposed(const BFloat16* x, const BFloat16* weight, BFloat16* to, std::int64_t rows,
                      std::int64_t out, std::int64_t in);

/// As times_transposed, with GELU of the product written to `to` and the derivative of GELU at the
/// product to `derivatives`, [rows, out] each.
void times_transposed_gelu(const BFloat16* x, const BFloat16* weight, BFloat16* to,
                           BFloat16* derivatives, std::int64_t rows, std::int64_t out,
                           std::int64_t in);

/// to [rows, in] = x [rows, out] times weight [out, in]. Requires: `out` even.
void times(const BFloat16* x, const BFloat16* weight, BFloat16* to, std::int64_t rows,
           std::int64_t out, std::int64_t in);

/// to [out, in] = left [rows, out] transposed times right [rows, in], in float32.
void transposed_times(const BFloat16* left, const BFloat16* right, float* to, std::int64_t rows,
                      std::int64_t out, std::int64_t in);

}  // namespace ablate::models::kernels

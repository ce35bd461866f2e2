// Products of small bfloat16 matrices with float32 sums, by AVX512-BF16.

#pragma once

#include <cstdint>

#include "models/kernels/simd/simd.h"

namespace ablate::models::kernels {

/// Whether these products serve here: the processor has AVX512-BF16 and no AMX (whose tiles the
/// library uses, and which are faster), and the level is not limited below it.
bool has_bfloat16_products();

/// to [rows, out] = x [rows, in] times weight [out, in] transposed. Requires: `in` even.
void times_transposed(const BFloat16* x, const BFloat16* weight, BFloat16* to, std::int64_t rows,
                      std::int64_t out, std::int64_t in);

/// GELU of that product to `to`, and GELU's derivative there to `slopes`.
void times_transposed_gelu(const BFloat16* x, const BFloat16* weight, BFloat16* to,
                           BFloat16* derivatives, std::int64_t rows, std::int64_t out,
                           std::int64_t in);

/// to [rows, in] = x [rows, out] times weight [out, in]. Requires: `out` even.
void times(const BFloat16* x, const BFloat16* weight, BFloat16* to, std::int64_t rows,
           std::int64_t out, std::int64_t in);

/// to [out, in] = left [rows, out] transposed times right [rows, in]; not rounded to bfloat16.
void transposed_times(const BFloat16* left, const BFloat16* right, float* to, std::int64_t rows,
                      std::int64_t out, std::int64_t in);

}  // namespace ablate::models::kernels

// Products of bfloat16, where the processor multiplies them.

#include "models/kernels/product/product_bfloat16.h"

#define ABLATE_LOOPS "models/kernels/product/product_bfloat16.inc"
#include "models/kernels/simd/bfloat16_instruction_set.h"

namespace ablate::models::kernels {

bool has_bfloat16_products() {
  static const bool tiles = has_amx_bfloat16();
  return !tiles && instruction_set() == InstructionSet::avx512_bfloat16;
}

void times_transposed(const BFloat16* x, const BFloat16* weight, BFloat16* to, std::int64_t rows,
                      std::int64_t out, std::int64_t in) {
  ABLATE_CALL_BFLOAT16(times_transposed(x, weight, to, rows, out, in));
}

void times_transposed_gelu(const BFloat16* x, const BFloat16* weight, BFloat16* to,
                           BFloat16* derivatives, std::int64_t rows, std::int64_t out,
                           std::int64_t in) {
  ABLATE_CALL_BFLOAT16(times_transposed_gelu(x, weight, to, derivatives, rows, out, in));
}

void times(const BFloat16* x, const BFloat16* weight, BFloat16* to, std::int64_t rows,
           std::int64_t out, std::int64_t in) {
  ABLATE_CALL_BFLOAT16(times(x, weight, to, rows, out, in));
}

void transposed_times(const BFloat16* left, const BFloat16* right, float* to, std::int64_t rows,
                      std::int64_t out, std::int64_t in) {
  ABLATE_CALL_BFLOAT16(transposed_times(left, right, to, rows, out, in));
}

}  // namespace ablate::models::kernels

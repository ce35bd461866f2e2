// Compiles the file of loops ABLATE_LOOPS for AVX512-BF16 only. A source file includes it once and
// calls the loops with ABLATE_CALL_BFLOAT16; hence no include guard.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "models/kernels/simd/intrinsics.h"
#include "models/kernels/simd/scratch.h"
#include "models/kernels/simd/simd.h"

#if defined(__x86_64__)
#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,avx512bf16,avx2,fma")
#define ABLATE_HAS_AVX512
#define ABLATE_HAS_BFLOAT16
namespace ablate::models::kernels::bfloat16_pairs {
namespace {
constexpr std::int64_t kWidth = 16;  // floats in a vector
#include "models/kernels/simd/vectors.inc"
#include ABLATE_LOOPS
}  // namespace
}  // namespace ablate::models::kernels::bfloat16_pairs
#undef ABLATE_HAS_AVX512
#undef ABLATE_HAS_BFLOAT16
#pragma GCC pop_options

/// Returns `call` of the loops; for use in namespace ablate::models::kernels.
#define ABLATE_CALL_BFLOAT16(call) return bfloat16_pairs::call
#else
#define ABLATE_CALL_BFLOAT16(call)                                   \
  throw std::logic_error(                                            \
      "kernels: bfloat16 loops are not compiled for this processor " \
      "architecture")
#endif

// Compiles the file of loops ABLATE_LOOPS once for each instruction set. A source file includes it
// once; hence no include guard.
//
// Each instruction set has its own namespace with a copy of all helpers, because GCC lowers vector
// types to the instruction set of the function that uses them, before inlining.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "models/kernels/simd/intrinsics.h"
#include "models/kernels/simd/scratch.h"
#include "models/kernels/simd/simd.h"

#if defined(__x86_64__)
#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,avx512bf16,avx2,fma")
#define ABLATE_HAS_AVX512
#define ABLATE_HAS_BFLOAT16
namespace ablate::models::kernels::avx512_bfloat16 {
constexpr std::int64_t kWidth = 16;  // floats in a vector
#include "models/kernels/simd/vectors.inc"
#include ABLATE_LOOPS
}  // namespace ablate::models::kernels::avx512_bfloat16
#undef ABLATE_HAS_BFLOAT16
#pragma GCC pop_options

#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma")
namespace ablate::models::kernels::avx512 {
constexpr std::int64_t kWidth = 16;
#include "models/kernels/simd/vectors.inc"
#include ABLATE_LOOPS
}  // namespace ablate::models::kernels::avx512
#undef ABLATE_HAS_AVX512
#pragma GCC pop_options

#pragma GCC push_options
#pragma GCC target("avx2,fma")
namespace ablate::models::kernels::avx2 {
constexpr std::int64_t kWidth = 8;
#include "models/kernels/simd/vectors.inc"
#include ABLATE_LOOPS
}  // namespace ablate::models::kernels::avx2
#pragma GCC pop_options
#endif

namespace ablate::models::kernels::any {
constexpr std::int64_t kWidth = 4;
#include "models/kernels/simd/vectors.inc"
#include ABLATE_LOOPS
}  // namespace ablate::models::kernels::any

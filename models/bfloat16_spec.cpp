// Asks the processor. Emulated bfloat16 products are slower than float32 ones, so they are refused.

#include "models/bfloat16_spec.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace ablate {
namespace {

bool processor_has_bfloat16() {
#if defined(__x86_64__)
  if (!__builtin_cpu_supports("avx512f")) return false;  // the operating system's leave, too
  unsigned a = 0, b = 0, c = 0, d = 0;
  const bool avx512_bf16 = __get_cpuid_count(7, 1, &a, &b, &c, &d) != 0 && (a & 1u << 5) != 0;
  const bool amx_bf16 = __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (d & 1u << 22) != 0;
  return avx512_bf16 || amx_bf16;
#else
  return false;
#endif
}

}  // namespace

std::string bfloat16_refusal() {
  if (processor_has_bfloat16()) return {};
  return "bfloat16 needs a processor with AVX512-BF16 or AMX, and this one has neither; use "
         "float32";
}

}  // namespace ablate

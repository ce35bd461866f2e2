// Detects the processor's instruction sets once.

#include "models/kernels/simd/simd.h"

#include <algorithm>
#include <atomic>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace ablate::models::kernels {
namespace {

#if defined(__x86_64__)
// By CPUID, because compilers before GCC 12 do not know the name of this feature.
bool has_avx512_bfloat16() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid_count(7, 1, &a, &b, &c, &d) != 0 && (a & 1u << 5) != 0;
}
#endif

InstructionSet find_instruction_set() {
#if defined(__x86_64__)
  const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (avx512 && avx2)
    return has_avx512_bfloat16() ? InstructionSet::avx512_bfloat16 : InstructionSet::avx512;
  if (avx2) return InstructionSet::avx2;
#endif
  return InstructionSet::any;
}

std::atomic<InstructionSet> limit = InstructionSet::avx512_bfloat16;

}  // namespace

InstructionSet instruction_set() {
  static const InstructionSet found = find_instruction_set();
  return std::min(found, limit.load(std::memory_order_relaxed));
}

void limit_instruction_set(InstructionSet maximum) { limit = maximum; }

bool has_amx_bfloat16() {
#if defined(__x86_64__)
  if (!__builtin_cpu_supports("avx512f")) return false;  // implies that XCR0 can be read
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid_count(7, 0, &a, &b, &c, &d) == 0 || (d & 1u << 22) == 0) return false;
  unsigned low = 0, high = 0;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return (low >> 17 & 3) == 3;  // the operating system saves the tile registers
#else
  return false;
#endif
}

std::string_view name_of(InstructionSet set) {
  switch (set) {
    case InstructionSet::avx512_bfloat16:
      return "avx512_bf16";
    case InstructionSet::avx512:
      return "avx512";
    case InstructionSet::avx2:
      return "avx2";
    case InstructionSet::any:
      break;
  }
  return "any";
}

}  // namespace ablate::models::kernels

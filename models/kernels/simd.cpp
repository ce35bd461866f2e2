// Asks the processor once.

#include "models/kernels/simd.h"

#include <algorithm>
#include <atomic>

namespace ablate::kernels {
namespace {

Level find_level() {
#if defined(__x86_64__)
  const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (avx512 && avx2) return Level::avx512;
  if (avx2) return Level::avx2;
#endif
  return Level::any;
}

std::atomic<Level> limit = Level::avx512;

}  // namespace

Level level() {
  static const Level found = find_level();
  return std::min(found, limit.load(std::memory_order_relaxed));
}

void limit_level(Level most) { limit = most; }

std::string_view name_of(Level level) {
  switch (level) {
    case Level::avx512:
      return "avx512";
    case Level::avx2:
      return "avx2";
    case Level::any:
      break;
  }
  return "any";
}

}  // namespace ablate::kernels

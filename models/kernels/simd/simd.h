// One kernel for several instruction sets: the loops are written once on vectors of the compiler's
// own (`vectors.inc`), compiled for each level (`each_level.h`), and chosen at run time. Where
// bfloat16 is multiplied there are loops of their own (`bfloat16_level.h`).

#pragma once

#include <cstdint>
#include <string_view>

namespace ablate::models::kernels {

/// A brain float: the upper half of a float32.
enum class BFloat16 : std::uint16_t {};

/// The instruction sets that kernels are compiled for.
enum class InstructionSet { any, avx2, avx512, avx512_bfloat16 };

/// The widest that this processor has and the operating system lets us use, within the limit.
InstructionSet instruction_set();

/// Kernels of at most this level from now on, in every thread: so that tests reach them all.
void limit_instruction_set(InstructionSet maximum);

std::string_view name_of(InstructionSet level);

/// Whether this processor multiplies bfloat16 in tiles (AMX), which LibTorch's products then use.
bool has_amx_bfloat16();

}  // namespace ablate::models::kernels

#define ABLATE_INLINE [[gnu::always_inline]] inline

#if defined(__x86_64__)
/// Returns `call` as compiled for this machine; for use in namespace ablate::models::kernels.
#define ABLATE_DISPATCH(call)             \
  switch (instruction_set()) {            \
    case InstructionSet::avx512_bfloat16: \
      return avx512_bfloat16::call;       \
    case InstructionSet::avx512:          \
      return avx512::call;                \
    case InstructionSet::avx2:            \
      return avx2::call;                  \
    case InstructionSet::any:             \
      break;                              \
  }                                       \
  return any::call
#else
#define ABLATE_DISPATCH(call) return any::call
#endif

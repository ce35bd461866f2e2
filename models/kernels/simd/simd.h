// Kernels for several instruction sets. The loops are written once with the compiler's vector types
// (`vectors.inc`), compiled for each instruction set (`each_instruction_set.h`) and chosen at run
// time. Products of bfloat16 have separate loops (`bfloat16_instruction_set.h`).

#pragma once

#include <cstdint>
#include <string_view>

namespace ablate::models::kernels {

/// A brain float: the upper 16 bits of a float32.
enum class BFloat16 : std::uint16_t {};

/// The instruction sets that kernels are compiled for.
enum class InstructionSet { any, avx2, avx512, avx512_bfloat16 };

/// The widest instruction set that the processor and the operating system support, up to the limit.
InstructionSet instruction_set();

/// Limits kernels in all threads to this instruction set or narrower ones, so that tests can run
/// every one of them.
void limit_instruction_set(InstructionSet maximum);

/// The name of an instruction set: "any", "avx2", "avx512" or "avx512_bf16".
std::string_view name_of(InstructionSet set);

/// Whether the processor has bfloat16 tile products (AMX), which LibTorch's products then use.
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

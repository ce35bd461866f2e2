// Refuses processors that would emulate bfloat16 products, which is slower than float32.

#include "models/specs/bfloat16_spec.h"

#include "models/kernels/simd/simd.h"

namespace ablate::models {

std::string bfloat16_refusal() {
  if (kernels::instruction_set() == kernels::InstructionSet::avx512_bfloat16 ||
      kernels::has_amx_bfloat16())
    return {};
  return "bfloat16 needs a processor with AVX512-BF16 or AMX, and this one has neither; use "
         "float32";
}

}  // namespace ablate::models

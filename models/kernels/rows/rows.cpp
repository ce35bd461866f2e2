// Rows by index, for the instruction set at hand.

#include "models/kernels/rows/rows.h"

#define ABLATE_LOOPS "models/kernels/rows/rows.inc"
#include "models/kernels/simd/each_instruction_set.h"

namespace ablate::models::kernels {

template <class T>
void gather_rows(const float* table, const std::int64_t* indices, std::int64_t count,
                 std::int64_t width, T* to) {
  ABLATE_DISPATCH(gather_rows(table, indices, count, width, to));
}

template <class T>
void scatter_rows(const T* from, const std::int64_t* indices, std::int64_t count,
                  std::int64_t width, float scale, float* table) {
  ABLATE_DISPATCH(scatter_rows(from, indices, count, width, scale, table));
}

#define ABLATE_INSTANTIATE(T)                                                                   \
  template void gather_rows(const float*, const std::int64_t*, std::int64_t, std::int64_t, T*); \
  template void scatter_rows(const T*, const std::int64_t*, std::int64_t, std::int64_t, float,  \
                             float*);
ABLATE_INSTANTIATE(float)
ABLATE_INSTANTIATE(BFloat16)
#undef ABLATE_INSTANTIATE

}  // namespace ablate::models::kernels

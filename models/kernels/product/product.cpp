// Small products, for the instruction set at hand.

#include "models/kernels/product/product.h"

#define ABLATE_LOOPS "models/kernels/product/product.inc"
#include "models/kernels/simd/each_instruction_set.h"

namespace ablate::models::kernels {

void product(ProductShape shape, Left left, Right right, Result result) {
  ABLATE_DISPATCH(product(shape, left, right, result));
}

void transpose(const float* from, float* to, std::int64_t rows, std::int64_t columns) {
  constexpr std::int64_t kBlock = 16;  // a cache line of floats
  for (std::int64_t r = 0; r < rows; r += kBlock)
    for (std::int64_t c = 0; c < columns; c += kBlock)
      for (std::int64_t j = c; j < std::min(c + kBlock, columns); ++j)
        for (std::int64_t i = r; i < std::min(r + kBlock, rows); ++i)
          to[j * rows + i] = from[i * columns + j];
}

}  // namespace ablate::models::kernels

// Cross-entropy, for the instruction set at hand.

#include "models/kernels/rows/cross_entropy.h"

#include <utility>

#define ABLATE_LOOPS "models/kernels/rows/cross_entropy.inc"
#include "models/kernels/simd/each_instruction_set.h"

namespace ablate::models::kernels {

template <class T>
double cross_entropy(CrossEntropyShape shape, T* products, const std::int64_t* targets,
                     const float* weights) {
  ABLATE_DISPATCH(cross_entropy(shape, products, targets, weights));
}

template double cross_entropy(CrossEntropyShape, float*, const std::int64_t*, const float*);
template double cross_entropy(CrossEntropyShape, BFloat16*, const std::int64_t*, const float*);

}  // namespace ablate::models::kernels

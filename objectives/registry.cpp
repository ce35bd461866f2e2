// The objectives. To add one: write objectives/NAME.cpp, or objectives/futures/NAME.cpp where further heads
// predict what comes later, which defines NAME_objective(), and add X(NAME) here, in alphabetical order.

#include "objectives/registry.h"

#define ABLATE_OBJECTIVES(X)   \
  X(blank_infilling)           \
  X(block_diffusion)           \
  X(causal_lm)                 \
  X(contrastive)               \
  X(denoising)                 \
  X(discounted_futures)        \
  X(fill_in_the_middle)        \
  X(future_summary)            \
  X(masked_diffusion)          \
  X(masked_lm)                 \
  X(mixture)                   \
  X(mixture_of_denoisers)      \
  X(multi_token_prediction)    \
  X(next_latent)               \
  X(permutation_lm)            \
  X(prefix_lm)                 \
  X(replaced_token_detection)  \
  X(replaced_token_prediction) \
  X(right_to_left_lm)          \
  X(span_corruption)           \
  X(token_order)               \
  X(uniform_diffusion)

namespace ablate::objectives {

#define ABLATE_DECLARE(name) ObjectiveSpec name##_objective();
ABLATE_OBJECTIVES(ABLATE_DECLARE)
#undef ABLATE_DECLARE

std::span<const ObjectiveSpec> objective_specs() {
#define ABLATE_CALL(name) name##_objective(),
  static const std::vector<ObjectiveSpec> specs = {ABLATE_OBJECTIVES(ABLATE_CALL)};
#undef ABLATE_CALL
  return specs;
}

}  // namespace ablate::objectives

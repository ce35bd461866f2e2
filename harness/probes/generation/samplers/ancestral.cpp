// Ancestral sampling: each token is drawn from the model's distribution given all tokens before it.
// The only sampler of left-to-right models whose texts have the model's own distribution.

#include "harness/probes/generation/samplers/common/continuing.h"
#include "harness/probes/generation/samplers/sampler.h"

namespace ablate::probes {

SamplerSpec ancestral_sampler() {
  return {.name = "ancestral",
          .summary = "draws each token given all tokens before it",
          .source = "Bishop 2006, Pattern Recognition and Machine Learning, section 8.1.2",
          .generation = Generation::ancestral,
          .draw = continue_by_draws};
}

}  // namespace ablate::probes

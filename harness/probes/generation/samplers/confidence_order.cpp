// Unmasking in order of confidence: the masks whose most probable token is the most probable are filled
// first, given what is there. "Top probability" in work on masked diffusion.
//
// The order depends on what is there, not on what is drawn. So with exact conditional distributions and
// one token per round the texts have the model's own distribution, as in every other order; what the
// order changes is which of the model's conditional distributions, not all equally good, are used.

#include "harness/probes/generation/samplers/common/unmasking.h"
#include "harness/probes/generation/samplers/sampler.h"

namespace ablate::probes {
namespace {

std::vector<Sample> draw(const TokenSource& source, const DrawTask& task) {
  return fill_masks(source, task, UnmaskingOrder::confidence);
}

}  // namespace

SamplerSpec confidence_order_sampler() {
  return {.name = "confidence_order",
          .summary = "fills the masks that the model is surest of first, given what is there",
          .source =
              "Chang et al. 2022, arXiv:2202.04200, section 3.2; Kim et al. 2025, "
              "arXiv:2502.06768 (top probability)",
          .differs =
              "Chang et al. rank sampled tokens by their probability, which sharpens the texts; "
              "here masks are ranked before a token is sampled, by the model at temperature 1\n"
              "masks are spread evenly over the rounds, not by a cosine",
          .generation = Generation::unmasking,
          .in_blocks = true,
          .draw = draw};
}

}  // namespace ablate::probes
